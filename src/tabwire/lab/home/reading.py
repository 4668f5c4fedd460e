"""Reads the ledger of a lab that runs in another process, over TLS, known by its key.

The lab's word (run/lab.json) names port and key. Before anything is said the key of whoever
answers there is compared: a port that another program took over tells us nothing.
"""

import base64
import hashlib
import http.client
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tabwire.hub.browsers.lab_file import LOOPBACK, START, Word, running_lab
from tabwire.lab.home.places import HOST
from tabwire.lab.ledger import Entry
from tabwire.model.errors import TabwireError

ANSWER_SECONDS = 10.0
DATA = b"data: "


def entries(since: int = 0) -> list[Entry]:
    """Everything the running lab received after number `since`."""
    with _asked(f"/ledger?since={since}") as answer:
        return msgspec.json.decode(answer.read(), type=list[Entry])


def live(since: int = 0) -> Iterator[Entry]:
    """The same, and then each entry as it is written, until the lab ends."""
    with _asked(f"/ledger/live?since={since}", patient=True) as answer:
        try:
            for line in answer:
                if line.startswith(DATA):
                    yield msgspec.json.decode(line[len(DATA) :], type=Entry)
        except (OSError, http.client.HTTPException):
            return  # it was killed in the middle of a word


@contextmanager
def _asked(path: str, *, patient: bool = False) -> Iterator[http.client.HTTPResponse]:
    word = running_lab()
    if word is None:
        raise TabwireError("no lab is running", what_to_do=START)
    line = _Line(word)
    try:
        line.request("GET", path, headers={"Host": HOST})
        answer = line.getresponse()
        if patient and line.sock is not None:
            line.sock.settimeout(None)  # the next prompt may be an hour away
        if answer.status != http.client.OK:
            raise _strange(word, f"answered {answer.status}")
    except (OSError, http.client.HTTPException) as exc:
        line.close()
        raise _strange(word, f"did not answer: {exc}") from exc
    try:
        yield answer
    finally:
        line.close()


class _Line(http.client.HTTPSConnection):
    """A connection to this lab and no other."""

    def __init__(self, word: Word) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # see `connect`
        super().__init__(LOOPBACK, word.port, timeout=ANSWER_SECONDS, context=context)
        self._word = word
        self._tls = context

    def connect(self) -> None:
        """As ever, and its key is looked at before anything is asked."""
        plain = socket.create_connection((self.host, self.port), ANSWER_SECONDS)
        self.sock = self._tls.wrap_socket(plain, server_hostname=HOST)
        if _key_of(self.sock.getpeercert(binary_form=True)) != self._word.spki:
            self.close()
            raise _strange(self._word, "is not the lab recorded there")


def _key_of(certificate: bytes | None) -> str:
    if certificate is None:
        return ""
    key = x509.load_der_x509_certificate(certificate).public_key()
    public = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(public).digest()).decode()


def _strange(word: Word, what: str) -> TabwireError:
    return TabwireError(
        f"the program on port {word.port} {what}",
        what_to_do=f"Stop process {word.pid} and restart the lab.",
    )
