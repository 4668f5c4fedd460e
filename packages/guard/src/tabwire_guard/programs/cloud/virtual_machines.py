"""Virtual machines."""

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.registry import program
from tabwire_guard.programs.verbs import PASS, Verbs, after_dashes, ask, deny
from tabwire_guard.values import Value

STOPS = ask("container.stop", "stops what is running")
CHANGES = ask("container.change", "changes what is running or kept")
FETCHES = ask("container.pull", "downloads an image")
SENDS = ask("container.push", "publishes an image")
INSIDE = ask("container.exec", "runs something in a machine")
ESCAPE = deny("container.escape", "lets the machine reach this one")


def _ssh(call: Call, args: list[Value]) -> None:
    """`vagrant ssh -c command`, `multipass exec name -- command`."""
    INSIDE.of(call, f"{call.said}:")
    for one in options(args, ("-c", "--command")).values("-c", "--command"):
        call.script_of(one, "run in a machine")
    if command := after_dashes(args):
        call.runs(command, "run in a machine")


_MACHINES = Verbs(
    [
        (PASS, """status global-status version list ls info port ssh-config validate
            box/{list,outdated} plugin/list networks get find aliases snapshot/list dominfo
            domstate nodeinfo vcpuinfo net-list pool-list vol-list dumpxml console-log
            image/list network/list profile/{list,show} storage/list remote/list config/show
            cluster/list"""),
        (CHANGES, """up start launch reload resume provision init create restart suspend restore
            clone set mount umount transfer snapshot resize define edit autostart net-start
            attach-disk config profile network storage device publish image copy move rename
            alias file"""),
        (STOPS, "halt stop shutdown suspend pause reboot reset"),
        (deny("container.destroy", "destroys machines with all that is in them"),
            "destroy delete purge undefine vol-delete pool-delete pool-destroy"),
        (_ssh, "ssh exec shell console powershell"),
        (FETCHES, """box/{add,update,remove,repackage} plugin/{install,uninstall,update} package
            cloud"""),
        (SENDS, "push share login"),
        (ESCAPE, "attach-device nodedev-detach qemu-monitor-command"),
    ],
    flags="-q --quiet --machine-readable",
    takes="-c --connect",
)  # fmt: skip


@program("vagrant multipass virsh lxc incus limactl colima orb vboxmanage")
def machines(call: Call) -> None:
    """Virtual machines."""
    _MACHINES(call)
