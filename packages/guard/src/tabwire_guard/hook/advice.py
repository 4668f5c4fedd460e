"""What an agent should do instead of what was stopped."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ADVICE: "Mapping[str, str]" = {
    "agent": "Do the work yourself, or ask the person to start that agent.",
    "cloud": "Show the person the exact command and let them run it.",
    "cluster": "Show the person the exact command and let them run it.",
    "container": "Use a container without extra rights, mounts outside the project or host access.",
    "database": "Work on a test database, or give the person the statement to run.",
    "decode": "Write the plain text instead of decoding it.",
    "delete.workspace": "Delete only files you made or were asked to delete, each by its name.",
    "delete": "Name each file to delete, inside the project only; leave the rest to the person.",
    "disk": "Leave disks alone; tell the person what you wanted to achieve.",
    "download": "Download to a file in the project, show it to the person, and do not run it.",
    "environment": "Set only variables of the project's own program.",
    "git.force": "Push without force, or to a branch of your own.",
    "git": "Make a new commit or branch instead; let the person rewrite, discard or publish.",
    "install": "Tell the person what to install and why.",
    "interactive": "Use the option that needs no input.",
    "looks": "Write the command in plain characters.",
    "network": "Tell the person what should be sent where; use data of the project only.",
    "opaque": "Write the command out, without eval, generated code or hidden names.",
    "ourselves": "Leave the guard's settings to the person.",
    "own": "The person has ruled this out; find a way without it.",
    "package": "Tell the person which package you need and why; they decide.",
    "parse": "Write a simpler command, one step at a time.",
    "persist": "Start it once, in the foreground; leave lasting changes to the person.",
    "persistence": "Start it once, in the foreground; leave lasting changes to the person.",
    "privilege": "Work without raised rights; give the person the command that needs them.",
    "process": "End only processes you started, by their number.",
    "protection": "Keep the protection on and solve the cause.",
    "read": "Read a file of the project instead.",
    "rights": "Change rights of single files in the project only.",
    "run": "Write the code to a file of the project, so that it can be read before it runs.",
    "secret.project": "Use the example file, or ask the person for the one value you need.",
    "secret": "Do without the secret; the person can put it where the program finds it.",
    "service": "Tell the person what to restart and why.",
    "system": "Leave the system as it is; tell the person what you wanted to achieve.",
    "too-long": "Split the command, or put it in a script of the project.",
    "too-much": "Split the command into simple steps.",
    "unknown": "Use a common tool, or say what this one does and let the person decide.",
    "write.outside": "Write inside the project, or to a temporary file.",
    "write.protected": "Leave this file alone; show the person the change you propose.",
    "write": "Write inside the project, or to a temporary file.",
}
"""By rule, or by its family: the part before the dot."""

DENIED = "Do not try the same in another form."


def advice(rule: str, *, denied: bool) -> str:
    """What to do instead of what that rule stopped."""
    found = ADVICE.get(rule) or ADVICE.get(rule.partition(".")[0], "")
    return f"{found} {DENIED}".strip() if denied else found
