"""LaTeX as a person would type it: `\\frac{a}{b}` is `a/b`, `x^{2}` is `x^2`.

What is not in the tables stays as it is: a formula that looks odd is better than one that
says something else.
"""

import re

# ruff: noqa: RUF001  these signs look like letters, as Greek does
_SIGNS = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "ast": "*",
    "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈",
    "equiv": "≡", "sim": "~", "propto": "∝", "ll": "≪", "gg": "≫",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "Leftarrow": "⇐",
    "implies": "⇒", "iff": "⇔", "leftrightarrow": "↔", "mapsto": "↦",
    "infty": "∞", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫",
    "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩",
    "emptyset": "∅", "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧", "lor": "∨",
    "ldots": "…", "dots": "…", "cdots": "…", "degree": "°", "circ": "°", "prime": "′",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε",
    "varepsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
    "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "quad": "  ", "qquad": "    ", "left": "", "right": "", "displaystyle": "",
    "log": "log", "ln": "ln", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan",
    "lim": "lim", "max": "max", "min": "min", "mod": "mod", "gcd": "gcd",
}  # fmt: skip
_WRAPPED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_WRAPPED}\s*{_WRAPPED}")
_ROOT = re.compile(rf"\\sqrt\s*{_WRAPPED}")
_DRESSED = re.compile(
    r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|mathbb|mathcal|mathsf|mathtt|operatorname"
    rf"|boxed|overline|vec|hat|bar)\s*{_WRAPPED}"
)
_RAISED = re.compile(rf"([_^]){_WRAPPED}")
_COMMAND = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])")
_SPACE = re.compile(r"\\[,;:! ]")
_SIMPLE = re.compile(r"[\w.]+|\([^()]*\)")
MAX_DEPTH = 6  # fractions in fractions; no real formula goes deeper


def plain_formula(latex: str) -> str:
    """A formula without its commands, as far as we know them."""
    text = latex.strip()
    for _ in range(MAX_DEPTH):
        before = text
        text = _DRESSED.sub(r"\1", text)
        text = _RAISED.sub(lambda found: found[1] + _grouped(found[2]), text)
        text = _ROOT.sub(lambda found: "√" + _grouped(found[1]), text)
        text = _FRACTION.sub(lambda found: f"{_grouped(found[1])}/{_grouped(found[2])}", text)
        if text == before:
            break
    text = _SPACE.sub(" ", text)
    text = _COMMAND.sub(lambda found: _SIGNS.get(found[1], found[0]), text)
    return text.replace("\\%", "%").replace("\\$", "$").replace("\\{", "{").replace("\\}", "}")


def _grouped(text: str) -> str:
    """In brackets, unless it is one thing."""
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) or not text else f"({text})"
