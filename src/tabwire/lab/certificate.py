"""A certificate for the names the lab plays, made anew at every start.

Nobody signs it and nobody is asked to trust it: the browser is started with the hash of this
one key (`--ignore-certificate-errors-spki-list`), so no other program profits from it.
"""

import base64
import hashlib
import ipaddress
import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

VALID = timedelta(days=30)  # a lab is younger than its certificate; browsers refuse > 398 days
SLACK = timedelta(days=1)  # clocks of a machine and its containers differ


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a TLS server needs, and the hash by which a browser knows the key."""

    chain: bytes
    key: bytes
    spki: str

    def context(self) -> ssl.SSLContext:
        """For a server that prefers HTTP/2. WebSockets come over HTTP/1.1."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.set_alpn_protocols(["h2", "http/1.1"])
        # ssl reads keys from files only: one exists for as long as it is being read
        with tempfile.TemporaryDirectory(prefix="tabwire-lab-") as folder:
            path = Path(folder) / "lab.pem"
            path.write_bytes(self.key + self.chain)
            context.load_cert_chain(path)
        return context


def make_certificate(hosts: Sequence[str]) -> Certificate:
    """A key and a certificate of its own for these hosts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabwire lab")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SLACK)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName([_named(host) for host in hosts]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return Certificate(
        chain=certificate.public_bytes(Encoding.PEM),
        key=key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        spki=base64.b64encode(hashlib.sha256(public).digest()).decode(),
    )


def _named(host: str) -> x509.GeneralName:
    """Browsers look for an address among addresses and for a name among names."""
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
