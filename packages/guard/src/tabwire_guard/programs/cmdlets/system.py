"""PowerShell's commands for the machine: services, disks, users, protection."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.cmdlets.parameters import given, path, paths_of
from tabwire_guard.programs.registry import CMDLETS, program, words

_DENIED = {
    "disk.erase": words(
        """format-volume clear-disk initialize-disk remove-partition new-partition set-partition
        resize-partition set-disk reset-physicaldisk remove-virtualdisk remove-storagepool
        dismount-diskimage mount-diskimage optimize-volume repair-volume clear-recyclebin
        remove-physicaldisk new-volume set-volume clear-storagediagnosticinfo write-volumecache
        disable-computerrestore remove-computerrestorepoint restore-computer"""
    ),
    "system.stop": words(
        """stop-computer restart-computer rename-computer remove-computer add-computer
        reset-computermachinepassword"""
    ),
    "system.service": words(
        """new-service set-service remove-service suspend-service register-scheduledtask
        register-scheduledjob set-scheduledtask set-scheduledjob new-scheduledtask
        new-jobtrigger add-jobtrigger register-wmievent register-cimindicationevent"""
    ),
    "protection.off": words(
        """set-mppreference add-mppreference remove-mppreference remove-mpthreat
        set-netfirewallprofile new-netfirewallrule set-netfirewallrule disable-netfirewallrule
        remove-netfirewallrule enable-netfirewallrule set-netfirewallsetting clear-eventlog
        remove-eventlog limit-eventlog disable-bitlocker enable-bitlocker suspend-bitlocker
        lock-bitlocker remove-bitlockerkeyprotector set-processmitigation
        set-authenticodesignature import-certificate import-pfxcertificate
        set-smbserverconfiguration new-smbshare grant-smbshareaccess
        enable-psremoting set-wsmanquickconfig enable-wsmancredssp set-pssessionconfiguration
        register-pssessionconfiguration set-wsmaninstance set-applockerpolicy clear-tpm
        disable-tpmautoprovisioning set-securebootuefi disable-windowserrorreporting
        set-netconnectionprofile disable-pnpdevice"""
    ),
    "system.user": words(
        """new-localuser set-localuser remove-localuser enable-localuser disable-localuser
        rename-localuser add-localgroupmember remove-localgroupmember new-localgroup
        remove-localgroup new-aduser set-aduser remove-aduser set-adaccountpassword
        add-adgroupmember remove-adgroupmember enable-adaccount disable-adaccount
        set-adgroup remove-adobject unlock-adaccount"""
    ),
    "run.wmi": words(
        """invoke-wmimethod invoke-cimmethod set-wmiinstance set-ciminstance new-ciminstance
        remove-wmiobject remove-ciminstance rwmi rcim iwmi icim scim ncim swmi
        invoke-wsmanaction new-wsmaninstance remove-wsmaninstance"""
    ),
    "network.settings": words(
        """set-dnsclientserveraddress disable-netadapter enable-netadapter set-netadapter
        new-netipaddress set-netipaddress remove-netipaddress new-netroute remove-netroute
        set-netroute add-dnsclientnrptrule restart-netadapter set-dnsclient new-netnat
        set-netipinterface add-vpnconnection"""
    ),
}
_ASKED = words(
    """start-service sasv stop-service spsv restart-service resume-service stop-process spps kill
    unregister-scheduledtask unregister-scheduledjob enable-scheduledtask disable-scheduledtask
    start-scheduledtask stop-scheduledtask new-scheduledtaskaction new-scheduledtasktrigger
    new-scheduledtasksettingsset new-scheduledtaskprincipal checkpoint-computer set-printer
    add-printer remove-printer start-mpscan update-mpsignature new-selfsignedcertificate
    clear-dnsclientcache set-winuserlanguagelist gpupdate invoke-gpupdate write-eventlog
    new-eventlog new-winevent stop-vm start-vm restart-vm new-vm get-pssessionconfiguration
    set-displayresolution"""
)


def _denied(call: Call) -> None:
    """Changes the machine in a way that is not taken back."""
    found = given(call)
    if found.dry:
        return
    rule = next(rule for rule, names in _DENIED.items() if call.name in names)
    call.deny(rule, f"{call.said} changes the machine itself")


PROTECTS = pattern(
    r"windefend|wdnissvc|wdfilter|mpssvc|bfe|wscsvc|sense|securityhealth\w*|eventlog|wecsvc|vss"
    r"|sdrsvc|wbengine|swprv|wuauserv|samss|sysmon\w*|tabwire"
    r"|.*(?:defender|firewall|antivirus|crowdstrike|falcon|sentinel|sophos|malwarebytes|mcafee"
    r"|symantec|kaspersky|carbonblack|osquery|wazuh).*",
    re.IGNORECASE,
)
"""Services that guard the machine, write down what happens, or bring back what was lost."""
VITAL = pattern(
    r"(?:explorer|lsass|csrss|winlogon|svchost|services|smss|wininit|system|msmpeng|dwm|nissrv"
    r"|mssense|securityhealthservice|tabwire)(?:\.exe)?",
    re.IGNORECASE,
)
"""Programs without which the machine, or what guards it, stands still."""


def _asked(call: Call) -> None:
    """Changes what runs on the machine."""
    if given(call).dry:
        return
    ends = call.name in ("stop-process", "spps", "kill")
    stops = call.name in ("stop-service", "spsv", "restart-service")
    if ends and any(VITAL.fullmatch(one) for one in call.texts):
        call.deny("process.vital", "ends a program the system needs")
    if stops and any(PROTECTS.fullmatch(one) for one in call.texts):
        call.deny("protection.off", "stops something that protects the machine")
    call.ask("system.change", f"{call.said} changes what runs on the machine")


for _names in _DENIED.values():
    program(*sorted(_names), table=CMDLETS)(_denied)
program(*sorted(_ASKED), table=CMDLETS)(_asked)


@program("remove-vm", "remove-vmsnapshot", "remove-vmharddiskdrive", table=CMDLETS)
def machines(call: Call) -> None:
    """Deletes a virtual machine."""
    call.deny("delete.lost", f"{call.said} deletes a machine")


@program("set-executionpolicy", table=CMDLETS)
def execution_policy(call: Call) -> None:
    """Which scripts may run."""
    found = given(call, "executionpolicy scope", "force")
    policy = "".join(one.text for one in found.first("executionpolicy")).lower()
    scope = "".join(one.text for one in found.first("scope", at=1)).lower()
    strict = policy in ("remotesigned", "allsigned", "restricted", "default", "undefined")
    if strict and scope in ("process", "currentuser"):
        call.ask("protection.policy", "changes which scripts may run")
    else:
        call.deny("protection.policy", "allows unsigned scripts to run")


@program("set-acl", table=CMDLETS)
def set_acl(call: Call) -> None:
    """Who may do what with a file."""
    found = given(call, "path literalpath aclobject inputobject securitydescriptor filter "
                  "include exclude", "passthru")  # fmt: skip
    call.ask("permission", "changes file permissions")
    for one in paths_of(found):
        call.writes(path(one))
