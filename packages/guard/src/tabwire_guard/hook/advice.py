"""What an agent should do instead of what was stopped."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ADVICE: "Mapping[str, str]" = {
    "agent": "Do the work yourself, or ask the person to start that agent.",
    "archive": "List the archive first, then unpack it into a new folder in the project.",
    "artisan": "Show the person the exact command and let them run it.",
    "browser": "Give the person the address, or use a browser that the project's tests start.",
    "checker": "Run the checker without the options that rewrite files or load code.",
    "cloud": "Show the person the exact command and let them run it.",
    "cluster": "Show the person the exact command and let them run it.",
    "container": "Use a container without extra privileges, host access or outside mounts.",
    "database": "Work on a test database, or give the person the statement to run.",
    "decode": "Write the plain text instead of decoding it.",
    "delete.workspace": "Delete only files you made or were asked to delete, each by its name.",
    "delete": "Name each file to delete, inside the project only; leave the rest to the person.",
    "desktop": "Tell the person what to do on their desktop.",
    "device": "Show the person the exact command and let them run it.",
    "disk": "Leave disks alone; tell the person what you wanted to achieve.",
    "download": "Download to a file in the project, show it to the person, and do not run it.",
    "empty": "Pass the command to run.",
    "environment": "Set only variables that the project's own program reads.",
    "git.force": "Push without force, or to a branch of your own.",
    "git": "Make a new commit or branch instead; let the person rewrite, discard or publish.",
    "input": "Tell the person what could not be judged and why; `hook doctor` looks into it.",
    "install": "Tell the person what to install and why.",
    "interactive": "Use the option that needs no input.",
    "link": "Use the file's own path, or link to a file inside the project.",
    "looks": "Write the command in plain characters.",
    "make": "Show the person the recipe and let them run it.",
    "move": "Move files inside the project only, and name each of them.",
    "name": "Write the program's name in plain text.",
    "network": "Tell the person what to send and where; use only data of the project.",
    "opaque": "Write the command in full, without eval, generated code or hidden names.",
    "open": "Give the person the path or the address to open.",
    "option": "Leave that option out.",
    "ourselves": "Leave the guard's settings to the person.",
    "own": "The person has banned this; find a way without it.",
    "package": "Tell the person which package you need and why; they decide.",
    "parse": "Write a simpler command, one step at a time.",
    "permission": "Change permissions only of single files in the project.",
    "persist": "Start it once, in the foreground; leave lasting changes to the person.",
    "persistence": "Start it once, in the foreground; leave lasting changes to the person.",
    "privilege": "Work without elevated privileges; give the person the command that needs them.",
    "process": "End only processes you started, by process ID.",
    "property": "Change only single files of the project.",
    "protection": "Keep the protection on and fix the cause.",
    "quoting": "Quote the text so that every shell reads it the same way.",
    "read": "Read a file of the project instead.",
    "registry": "Leave the registry alone; tell the person what you wanted to achieve.",
    "rights": "Change permissions only of single files in the project.",
    "run": "Write the code to a file of the project, so that it can be read before it runs.",
    "script": "Show the person what the script does and let them run it.",
    "secret.project": "Use the example file, or ask the person for the one value you need.",
    "secret": "Do without the secret; the person can store it where the program finds it.",
    "service": "Tell the person what to restart and why.",
    "session": "Show the person the exact command and let them run it.",
    "shadow": "Choose a name that no program has.",
    "system": "Leave the system as it is; tell the person what you wanted to achieve.",
    "too-long": "Split the command, or put it in a script of the project.",
    "too-much": "Split the command into simple steps.",
    "unknown": "Use a common tool, or explain what this one does and let the person decide.",
    "variable": "Write the value in plain text.",
    "write.outside": "Write to an ordinary file of the project, or to a temporary file.",
    "write.protected": "Leave this file alone; show the person the change you propose.",
    "write": "Write to an ordinary file of the project, or to a temporary file.",
}
"""By rule, or by its family: the part before the dot."""

DENIED = "Do not try the same in another form."
"""Said of what was judged; a call that could not be judged may well be put in another form."""


def advice(rule: str, *, denied: bool) -> str:
    """What to do instead of what that rule stopped."""
    found = ADVICE.get(rule) or ADVICE.get(rule.partition(".")[0], "")
    return f"{found} {DENIED}" if denied and rule != "input" else found
