"""Disks, users, services, firewalls, schedules: the machine itself."""

import re

from tabwire_guard.call import Call
from tabwire_guard.programs.registry import program, words

_DENIED = {
    "disk.destroy": words(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs "
        "mkfs.exfat mkfs.f2fs "
        "mke2fs mkswap mkdosfs newfs newfs_apfs wipefs blkdiscard cryptsetup lvremove vgremove "
        "pvremove lvreduce "
        "zpool mdadm hdparm nvme sgdisk sfdisk cfdisk gdisk resize2fs tune2fs dmsetup badblocks "
        "e2label "
        "xfs_admin swapoff fstrim partprobe gparted testdisk photorec debugfs flashrom fwupdmgr "
        "efibootmgr "
        "grub-install update-grub grub-mkconfig dracut mkinitramfs update-initramfs losetup "
        "scrub nwipe sg_format"
    ),
    "system.stop": words("shutdown reboot halt poweroff init telinit kexec pm-suspend"),
    "system.users": words(
        "userdel useradd usermod groupdel groupadd groupmod passwd chpasswd adduser deluser "
        "addgroup delgroup "
        "gpasswd visudo vipw vigr chsh chfn chage newusers pwconv dscl dseditgroup sysadminctl "
        "pwpolicy"
    ),
    "system.weaken": words(
        "setenforce aa-disable aa-complain aa-teardown apparmor_parser csrutil spctl tccutil "
        "nvram bputil fdesetup setsebool semanage "
        "auditctl setcap modprobe insmod rmmod kmod depmod systemsetup profiles authconfig "
        "pam-auth-update "
        "update-crypto-policies update-ca-certificates update-ca-trust trust certmgr mkcert "
        "fail2ban-client "
        "clamd freshclam xprotect mokutil kextload kextunload"
    ),
    "persist.service": words(
        "update-rc.d chkconfig rc-update insserv systemd-tmpfiles incrontab anacron"
    ),
    "secret.read": words(
        "security keyctl 1password-cli keepassxc-cli gnome-keyring "
        "mimikatz lazagne hashdump unshadow john hashcat chntpw secretsdump"
    ),
    "system.rootkit": words("stress stress-ng fork-bomb xmrig minerd cpuminer cgminer ethminer"),
}
_WHY = {
    "disk.destroy": "can destroy disks or what starts the machine",
    "system.stop": "stops the machine",
    "system.users": "changes who may use the machine",
    "system.weaken": "weakens what protects the machine",
    "persist.service": "makes something run automatically",
    "secret.read": "reveals passwords and keys",
    "system.rootkit": "uses up the machine's resources",
}
_RULE_OF = {name: rule for rule, names in _DENIED.items() for name in names}
_SHOWN_BY = {
    "zpool": words("list status get iostat history"),
    "nvme": words("list version"),
    "dmsetup": words("ls info status table version"),
    "sgdisk": words("-p --print"),
    "sfdisk": words("-l --list -d --dump"),
    "efibootmgr": words("-v --verbose"),
    "fwupdmgr": words("get-devices get-updates get-history"),
    "mdadm": words("--detail -D --examine -E"),
    "losetup": words("-l --list -a --all"),
    "csrutil": words("status"),
    "spctl": words("--status --assess"),
    "nvram": words("-p"),
    "passwd": words("-S --status"),
    "chage": words("-l --list"),
}
"""What only shows something, of programs that can do worse."""


@program(*_RULE_OF)
def never(call: Call) -> None:
    """Nothing an agent does alone."""
    rule = _RULE_OF[call.name]
    if call.args and call.texts[0] in ("--version", "--help", "-V"):
        return
    shown = _SHOWN_BY.get(call.name, frozenset())
    plain = [one for one in call.texts if one not in shown]
    if len(plain) < len(call.texts) and len(plain) < 2 and not any(one[0] == "-" for one in plain):
        return
    if rule == "secret.read":
        call.taint("secret")
        if call.name == "security" and call.texts[:1] in (
            ["find-identity"],
            ["list-keychains"],
            ["cms"],
            ["verify-cert"],
        ):
            return
    call.deny(rule, f"{call.name} {_WHY[rule]}")


@program(
    "fdisk parted gpart diskutil fsck hdiutil zfs btrfs lvs vgs pvs lvcreate smartctl mount "
    "umount mountpoint findmnt swapon blkid e2fsck xfs_repair lvm lvextend pvcreate vgcreate "
    "snapper timeshift tmutil asr"
)
def disks(call: Call) -> None:
    """Disks and what is mounted."""
    text = " ".join(call.texts)
    if call.name in ("lvs", "vgs", "pvs", "mountpoint", "findmnt", "blkid"):
        return
    if re.fullmatch(_DISKS_SHOWN.get(call.name, r"(?!)"), text):
        return
    if call.name in ("mount", "umount", "hdiutil", "swapon", "snapper", "timeshift", "smartctl"):
        harsh = re.search(r"remount|--bind|/dev/sd|/dev/nvme|delete|-l|-f|-a", text)
        (call.deny if harsh else call.ask)("disk.mount", "changes what is mounted")
        return
    call.deny("disk.destroy", f"{call.name} can destroy disks")


_NAME = r"[\w./:-]+"
_DISKS_SHOWN = {
    "fdisk": rf"(?:-l|--list)(?: {_NAME})*",
    "parted": rf"(?:-[sm] )*(?:-l|/{_NAME} (?:unit \w+ )?print(?: free| all)?)",
    "diskutil": rf"(?:list|info|apfs list|listFilesystems)(?: {_NAME})*",
    "mount": r"|-l|-t \w+",
    "swapon": r"|-s|--show",
    "zfs": rf"(?:list|get)(?: {_NAME})*",
    "btrfs": rf"(?:filesystem (?:df|show|usage)|subvolume list)(?: {_NAME})*",
    "tmutil": r"(?:listbackups|destinationinfo|status|latestbackup)",
    "hdiutil": r"info",
    "snapper": r"list(?:-configs)?",
    "timeshift": r"--list",
    "smartctl": rf"(?:-[aiHx]|--all|--info|--health)(?: /{_NAME})+",
    "lvm": r"(?:lvs|vgs|pvs|version)",
}
"""What only shows something, whole: a word more and it may do more."""


@program("crontab")
def crontab(call: Call) -> None:
    """What runs by the clock."""
    said = call.options(("-u",))
    if said.has("-l"):
        return
    if said.has("-e"):
        call.ask("persist.schedule", "changes scheduled jobs")
    else:
        call.deny("persist.schedule", "replaces or removes scheduled jobs")


_UNITS_READ = words(
    "status list-units list-unit-files list-timers list-sockets list-jobs list-dependencies "
    "is-active is-enabled "
    "is-failed show cat help get-default show-environment is-system-running --version --failed"
)


@program(
    "systemctl service launchctl loginctl rc-service sv s6-rc initctl brew-services "
    "supervisorctl machinectl networkctl busctl"
)
def services(call: Call) -> None:
    """Services."""
    said = call.options(
        ("-t", "--type", "--state", "-p", "--property", "-H", "-M", "-u", "-n", "--lines", "-o")
    )
    verb = said.operands[0].text if said.operands else ""
    if call.name in ("service", "rc-service", "sv"):
        verb = said.operands[1].text if len(said.operands) > 1 and call.name != "sv" else verb
    if (
        verb in _UNITS_READ
        or verb in ("list", "print", "blame", "avail", "introspect")
        or (not verb and not said.operands)
    ):
        return
    if verb in (
        "start",
        "stop",
        "restart",
        "reload",
        "try-restart",
        "reset-failed",
        "daemon-reload",
        "kickstart",
    ):
        if re.search(
            r"tabwire|ufw|firewalld|auditd|apparmor|fail2ban|clamav|crowdstrike|falcon|sshd?\b"
            r"|wazuh|ossec|defender",
            " ".join(call.texts),
        ):
            call.deny("system.weaken", "stops or starts something that protects the machine")
        call.ask("service.change", f"{call.name} {verb} changes a service of the machine")
    elif verb in (
        "poweroff",
        "reboot",
        "halt",
        "suspend",
        "hibernate",
        "kexec",
        "rescue",
        "emergency",
        "isolate",
    ):
        call.deny("system.stop", "stops the machine")
    else:
        call.deny("persist.service", f"{call.name} {verb} changes what runs automatically")


@program(
    "iptables ip6tables nft ufw firewall-cmd pfctl ipset ebtables iptables-restore iptables-save tc"
)
def firewall(call: Call) -> None:
    """The firewall."""
    shown = (
        r"(?:-t \w+ )?(?:-[nvS]*L[nv]*|--list|-S)(?: [A-Z]+)?(?: -[nv]+)*"
        r"|status(?: verbose| numbered)?"
        r"|list (?:ruleset|tables|table \w+ \w+)|--list-all(?:-zones)?|--state|--get-[\w-]+|-s \w+"
        r"|(?:qdisc|class|filter) show(?: dev \w+)?"
    )
    text = " ".join(call.texts)
    if re.fullmatch(shown, text) or (call.name == "iptables-save" and not text):
        return
    call.deny("system.firewall", "changes the firewall")


@program("sysctl")
def sysctl(call: Call) -> None:
    """Settings of the kernel."""
    changing = re.compile(r"-\w*[wpf].*|--(?:system|write|load).*|.*=.*")
    if any(changing.fullmatch(one) for one in call.texts):
        call.deny("system.weaken", "changes the kernel's settings")


@program("journalctl log logrotate logger wall write mesg syslog")
def logs(call: Call) -> None:
    """Logs of the machine."""
    if any(
        one.startswith(("--vacuum", "--rotate", "--flush", "--sync", "erase")) for one in call.texts
    ):
        call.deny("system.logs", "removes logs")
    if call.name == "logger" and any(
        re.match(r"-\w*[nfuPT]|--(?:server|file|socket)", one) for one in call.texts
    ):
        for one in call.args:
            call.reads(one)
        call.ask("network.send", "sends it to another machine's log")
    if call.name in ("logrotate", "wall", "write"):
        call.ask("system.change", f"{call.name} changes something for all users")


@program("ip ifconfig route nmcli networksetup iwconfig iw ethtool arp brctl scutil wpa_cli rfkill")
def interfaces(call: Call) -> None:
    """Network interfaces."""
    text = " ".join(call.texts)
    if re.fullmatch(_INTERFACES_SHOWN[call.name], text):
        return
    if call.name in ("nmcli", "iw", "wpa_cli") and re.search(r"-s|--show-secrets|psk", text):
        call.deny("secret.read", "shows passwords of networks")
    if call.name == "ip" and re.match(r"(?:-\w+ )*(?:netns|vrf) exec", text):
        call.deny("privilege.namespace", "runs something in another network")
    if re.search(r"flush|default|dns|proxy|-set", text):
        call.deny("network.change", "redirects traffic, or disconnects the network")
    call.ask("network.change", "changes network settings")


_INTERFACES_SHOWN = {
    "ip": r"(?:-(?:[46sjpdbr]|br|brief|c|color|json|stats) )*"
    r"(?:a|addr|address|l|link|r|route|n|neigh"
    r"|rule|maddr|tunnel)(?: (?:s|sh|show|ls|list|get)(?: (?:dev )?[\w.:/@-]+)*)?|-V",
    "ifconfig": r"|-a|[\w.:-]+",
    "route": r"|-n|-n get [\w.:/-]+|get [\w.:/-]+",
    "nmcli": r"|(?:d|dev|device|c|con|connection|g|general)(?: (?:status|show(?: --active)?))?",
    "networksetup": r"-(?:list|get)\w+(?: [\w ()-]+)?",
    "iwconfig": r"|\w+",
    "iw": r"dev|list|phy",
    "ethtool": r"(?:-i )?\w+",
    "arp": r"|-a|-n|-an",
    "brctl": r"show",
    "scutil": r"--dns|--proxy|--nwi|--get \w+",
    "wpa_cli": r"status",
    "rfkill": r"|list",
}
"""What only shows something, whole."""


@program("kill pkill killall xkill killall5 skill renice")
def kill(call: Call) -> None:
    """Ends processes."""
    texts = call.texts
    if call.name == "kill" and texts[:1] in (["-l"], ["-L"], ["-0"]):
        return
    if re.search(r"(?:^| )-1$|(?:^| )-1 |(?:^| )1$", " ".join(texts[-1:])) and call.name == "kill":
        call.deny("process.kill", "ends every process")
    if call.name == "killall5":
        call.deny("process.kill", "ends every process")
    if re.search(
        r"tabwire|ssh-agent|sshd|systemd|launchd|init|Xorg|gnome-shell|WindowServer|clamd|auditd"
        r"|falcon|sentinel|crowdstrike|defender|osquery|wazuh|antivirus|mdatp|cbagent"
        r"|loginwindow|finder|explorer|-u root",
        " ".join(texts),
        re.I,
    ):
        call.deny("process.kill", "ends something the machine or its safety needs")
    call.ask("process.kill", "ends processes")
