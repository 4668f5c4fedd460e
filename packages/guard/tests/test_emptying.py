"""Files that are emptied, or put in the place of others, in all three shells."""

import pytest

from tabwire_guard.judgement import judge

CASES = r"""
ask    bash        cat /dev/null > src/app.py
ask    bash        cat < /dev/null > src/app.py
ask    bash        tee src/app.py < /dev/null
ask    bash        tee src/a.py src/b.py </dev/null
ask    bash        : > src/app.py
ask    bash        true > src/app.py
ask    bash        > src/app.py
ask    bash        echo -n > src/app.py
ask    bash        echo > src/app.py
ask    bash        echo "" > src/app.py
ask    bash        printf '' > src/app.py
ask    bash        head -c0 README.md > src/app.py
ask    bash        head -n 0 README.md > src/app.py
ask    bash        awk 1 /dev/null > src/app.py
ask    bash        cp /dev/null src/app.py
ask    bash        install /dev/null src/app.py
ask    bash        rsync /dev/null src/app.py
ask    bash        dd if=/dev/null of=src/app.py
ask    bash        truncate -s 0 src/app.py
ask    bash        sponge src/app.py < /dev/null
ask    bash        sed -i d src/app.py
ask    bash        sed -i '1,$d' src/app.py
ask    bash        sed -i '/.*/d' src/app.py
ask    bash        perl -i -ne '' src/app.py
ask    bash        make 2> src/app.py
ask    bash        gzip -r src
ask    bash        gzip src/app.py
ask    bash        xz src/app.py
ask    bash        bzip2 src/*.c
ask    bash        pigz src/app.ts
ask    bash        lzma src/app.c
ask    bash        compress src/app.c
ask    bash        zstd --rm data.csv
ask    bash        gunzip -r data
ask    cmd         type nul > src\app.cs
ask    cmd         copy /y nul src\app.cs
ask    cmd         copy nul + nul src\app.cs
ask    cmd         xcopy /y nul src\app.cs
ask    cmd         break > src\app.cs
ask    cmd         cd. > src\app.cs
ask    cmd         echo. > src\app.cs
ask    cmd         echo. 2> src\app.cs
ask    powershell  $null > src\app.cs
ask    powershell  Set-Content src\app.cs $null
ask    powershell  Set-Content -Path src\app.cs -Value ''
ask    powershell  '' | Set-Content src\app.cs
ask    powershell  Out-File src\app.cs -InputObject ''
ask    powershell  Get-Content nul > src\app.cs
ask    powershell  New-Item -Force src\app.cs
ask    powershell  ni src\app.cs -Force
ask    powershell  Clear-Content src\app.cs
ask    powershell  Copy-Item nul src\app.cs
ask    powershell  [IO.File]::WriteAllText("src\app.cs", "")
ask    powershell  [IO.File]::Create("src\app.cs")
deny   bash        cat /dev/null > ~/.bashrc
deny   cmd         type nul > C:\Windows\System32\drivers\etc\hosts
allow  bash        : > build/out.log
allow  bash        touch src/app.py
allow  bash        : > src/pkg/__init__.py
allow  bash        echo hi > src/app.py
allow  bash        make 2> errors.log
allow  bash        sed -i '/TODO/d' src/app.py
allow  bash        sed -i '1d' src/app.py
allow  bash        gzip -k src/app.js
allow  bash        gzip -c dist/app.js | wc -c
allow  bash        gzip dist/app.js
allow  bash        tar cf - src | gzip > out.tgz
allow  bash        zstd data.csv
allow  bash        cat < /dev/null
allow  bash        npm test < /dev/null > test.log
allow  bash        npm test > /dev/null 2>&1
allow  cmd         type nul > src\__init__.py
allow  cmd         type nul > empty.txt
allow  cmd         echo hi > src\app.cs
allow  cmd         dir > nul 2>&1
allow  powershell  New-Item src\app.cs -ItemType File
allow  powershell  New-Item -ItemType Directory -Force src\models
allow  powershell  New-Item -Force src\app.cs -Value 'class A {}'
allow  powershell  Set-Content notes.md 'hello'
"""


@pytest.mark.parametrize("line", CASES.strip().splitlines())
def test_verdicts(line):
    expected, shell, command = line.split(maxsplit=2)
    workspace = "/home/dev/app" if shell == "bash" else r"C:\Users\dev\app"
    told = judge(command, shell=shell, workspace=workspace)
    assert told.verdict.word == expected, told.reason
