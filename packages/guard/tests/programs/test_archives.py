"""Archives, and what decodes or encrypts. Harmless and harmful side by side."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
deny   tar cIf 'sh x.sh' x.tar src
deny   tar -cf x.tar --use-comp='sh x.sh' src
deny   tar -cf x.tar --checkpoint=1 --checkpoint-act=exec='rm -rf ~' src
deny   tar cgf /home/you/.bashrc x.tar src
deny   tar -cg/home/you/.bashrc -f x.tar src
deny   tar cCCf src /home/you/.ssh x.tar id_rsa
deny   tar -tf a.tar --volno-file=/home/you/.bashrc
deny   tar -cf x.tar --add-file=/etc/shadow src
deny   tar -t --rs=/tmp/evil -f x:y
deny   jar -cf /home/you/.bashrc x
deny   jar --create --file=/home/you/.bashrc x
deny   jar cfm out.jar /home/you/.ssh/id_rsa x
deny   jar cmf m.txt /home/you/.bashrc x
deny   jar uf /home/you/.bashrc x
deny   zip -rTT 'rm -rf ~' x.zip src
deny   zip --out /home/you/.bashrc x.zip src
deny   zip -lf /home/you/.bashrc x.zip src
deny   openssl rand --writerand /home/you/.bashrc 1
deny   openssl enc -base64 -engine /tmp/x.so -in a
deny   openssl x509 -in x -CAserial /home/you/.bashrc
deny   openssl dgst -sha256 -out /home/you/.bashrc x
deny   openssl dgst -provider-path /tmp -provider evil x
deny   xxd -ps in.bin /home/you/.bashrc
deny   xxd -p in.bin /home/you/.bashrc
ask    uudecode x
ask    gpg --verify -o /home/you/.bashrc x.sig
deny   lz4 -l x /home/you/.bashrc
deny   brotli --output=/home/you/.bashrc x
allow  tar czf out.tgz src
allow  tar -czf out.tgz -C dist .
allow  tar -cJf /tmp/x.tar.xz src
allow  tar tzf x.tgz
allow  tar -tvf x.tar
allow  tar --exclude=node_modules -czf out.tgz .
allow  tar -cf - src | gzip > out.tgz
allow  tar -I zstd -cf x.tar.zst src
allow  tar -I 'zstd -19 -T0' -cf x.tar.zst src
allow  git ls-files | tar -czf x.tgz -T -
allow  jar tf app.jar
allow  jar cf app.jar -C classes .
allow  zip -r out.zip src -x 'node_modules/*'
allow  7z a out.7z src
allow  openssl x509 -in cert.pem -noout -text
allow  openssl rand -hex 32
allow  openssl dgst -sha256 file.bin
allow  openssl version -a
allow  echo aGk= | base64 -d
allow  base64 -w0 file
allow  xxd file.bin | head
allow  xxd -l 64 -s 16 file.bin
allow  xxd -c16 file.bin
allow  xxd -r -p in.hex out.bin
allow  gzip -k file
allow  zstd -T0 file
allow  gpg --verify a.sig a.tar.gz
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
