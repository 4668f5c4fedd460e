"""The lab's certificate: for its hosts, known by its key, new each time, nowhere on disk."""

import base64
import hashlib
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tabwire.lab.certificate import make_certificate

HOSTS = ("chatgpt.com", "grok.com")


def test_it_names_the_hosts_and_its_hash_is_that_of_its_key():
    made = make_certificate(HOSTS)
    certificate = x509.load_pem_x509_certificate(made.chain)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert tuple(names.get_values_for_type(x509.DNSName)) == HOSTS
    public = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert base64.b64decode(made.spki) == hashlib.sha256(public).digest()


def test_an_address_is_named_as_one():
    """Browsers do not look for 127.0.0.1 among names."""
    certificate = x509.load_pem_x509_certificate(make_certificate((*HOSTS, "127.0.0.1")).chain)
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(one) for one in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1"]
    assert tuple(names.get_values_for_type(x509.DNSName)) == HOSTS


def test_every_lab_has_a_key_of_its_own():
    assert make_certificate(HOSTS).spki != make_certificate(HOSTS).spki


def test_no_key_is_left_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert make_certificate(HOSTS).context() is not None
    assert list(tmp_path.iterdir()) == []
