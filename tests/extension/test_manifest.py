"""The manifest: a fixed id, few permissions, only the sites' hosts, and files that are there."""

import base64
import hashlib
import json

import pytest

from kit.extension import FOLDER
from tabwire.model.extension import EXTENSION_ID
from tabwire.sites.grok.requests import X_HOSTS
from tabwire.sites.known import SITES


@pytest.fixture(scope="module")
def manifest():
    return json.loads((FOLDER / "manifest.json").read_text())


def test_the_id_follows_from_the_key(manifest):
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == EXTENSION_ID


def test_the_hosts_are_those_of_the_sites_and_never_all_of_x(manifest):
    hosts = {host for site in SITES.values() for host in site.hosts} - set(X_HOSTS)
    assert set(manifest["host_permissions"]) == {f"https://{host}/*" for host in hosts}
    for scripts in manifest["content_scripts"]:
        assert set(scripts["matches"]) == set(manifest["host_permissions"])


def test_the_worker_names_the_sites_as_python_does(manifest):
    source = (FOLDER / "worker" / "sites.js").read_text()
    for name, site in SITES.items():
        for host in set(site.hosts) - set(X_HOSTS):
            assert f'"{host}": "{name}"' in source


def test_permissions_are_few_and_each_has_its_reason(manifest):
    assert set(manifest["permissions"]) == {"alarms", "debugger", "idle", "storage", "tabGroups"}
    main = (FOLDER / "worker" / "main.js").read_text()
    assert all(f"`{name}`" in main for name in manifest["permissions"])
    assert "externally_connectable" not in manifest
    assert "web_accessible_resources" not in manifest


def test_every_file_that_is_named_is_there(manifest):
    named = [manifest["background"]["service_worker"], manifest["action"]["default_popup"]]
    named += [manifest["options_ui"]["page"], "ui/connect.html", *manifest["icons"].values()]
    named += [one for scripts in manifest["content_scripts"] for one in scripts["js"]]
    assert [one for one in named if not (FOLDER / one).is_file()] == []


def test_nothing_is_fetched_or_evaluated_from_elsewhere(manifest):
    policy = manifest["content_security_policy"]["extension_pages"]
    rules = dict(one.strip().split(" ", 1) for one in policy.split(";"))
    assert rules["script-src"] == "'self'"
    assert rules["connect-src"] == "ws://127.0.0.1:* http://127.0.0.1:*"
