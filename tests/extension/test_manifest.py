"""The manifest: a fixed id, few permissions, only the sites' hosts, and files that are there."""

import base64
import hashlib
import json
import re

import pytest

from kit.extension import FOLDER
from tabwire.model.extension import EXTENSION_ID
from tabwire.sites.chatgpt import requests as chatgpt
from tabwire.sites.grok.requests import X_HOSTS
from tabwire.sites.known import SITES

HOSTS = (FOLDER / "hosts.js").read_text("utf-8")


@pytest.fixture(scope="module")
def manifest():
    return json.loads((FOLDER / "manifest.json").read_text())


def test_the_id_follows_from_the_key(manifest):
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(digit, 16)) for digit in digest) == EXTENSION_ID


def table(name):
    """One of the two tables of hosts.js: host to site."""
    (block,) = re.findall(rf"{name}: \{{(.*?)\}}", HOSTS, re.DOTALL)
    return dict(re.findall(r'"([\w.]+)": "(\w+)"', block))


def test_the_table_of_hosts_is_that_of_the_sites_and_never_has_x():
    of_python = {host: name for name, site in SITES.items() for host in site.hosts}
    assert table("pages") == {host: of_python[host] for host in of_python.keys() - X_HOSTS}
    hosts = {f"www.{host}" for host in chatgpt.HOSTS} | set(chatgpt.SOCKET_HOSTS)
    assert table("requests") == dict.fromkeys(hosts, "chatgpt")
    assert set(table("pages").values()) == set(SITES)


def test_the_manifest_asks_for_the_hosts_of_the_table(manifest):
    patterns = {f"https://{host}/*" for host in table("pages")}
    assert set(manifest["host_permissions"]) == patterns
    for scripts in manifest["content_scripts"]:
        assert set(scripts["matches"]) == patterns
    (scripts,) = [one for one in manifest["content_scripts"] if one["world"] == "MAIN"]
    assert scripts["js"][:3] == ["page/natives.js", "hosts.js", "page/matching.js"]


def test_no_file_is_listed_for_both_worlds(manifest):
    """Chrome runs a file once in a frame, and would leave it out of the second."""
    files = [one for scripts in manifest["content_scripts"] for one in scripts["js"]]
    assert len(files) == len(set(files))


def test_there_is_no_second_table_in_the_extension():
    quoted = re.compile("|".join(rf"[\"']{re.escape(host)}[\"']" for host in table("pages")))
    others = [path for path in FOLDER.rglob("*.js") if path.name != "hosts.js"]
    assert [path.name for path in others if quoted.search(path.read_text("utf-8"))] == []


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
