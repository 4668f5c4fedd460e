"""Compilers. Harmless and harmful side by side."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
deny   gcc -Wl,-Map=/home/you/.bashrc x.c
deny   gcc -Wl,-o,/home/you/.bashrc x.c
ask    gcc -Wp,-MD,/home/you/.bashrc x.c
deny   gcc -Xlinker -Map=/home/you/.bashrc x.c
deny   gcc --output=/home/you/.bashrc x.c
deny   gcc -MF/home/you/.bashrc -MD x.c
ask    clang -ftime-trace=/home/you/x x.c
ask    ld --plugin=/tmp/evil.so x.o
ask    ld -plug /tmp/evil.so x.o
ask    nvcc --compiler-bindir=/tmp/evil x.cu
ask    nvcc -run x.cu
ask    dmd -run x.d
deny   dmd -of/home/you/.bashrc x.d
deny   dmd -of=/home/you/.bashrc x.d
deny   nasm -o/home/you/.bashrc x.asm
deny   rustc -o/home/you/.bashrc x.rs
ask    rustc --emit=link=/home/you/.bashrc x.rs
ask    rustc --codegen linker=/tmp/evil x.rs
ask    rustc --extern a=/tmp/evil.so x.rs
deny   ocamlc -pp 'rm -rf ~' x.ml
ask    groovyc --configscript /tmp/x.groovy a.groovy
deny   csc -out:/home/you/.bashrc x.cs
deny   csc /out:/home/you/.bashrc x.cs
deny   zig cc -o/home/you/.bashrc x.c
ask    zig run x.zig
deny   zig build-exe x.zig -femit-bin=/home/you/.bashrc
ask    nim r x.nim
ask    nim c --run x.nim
deny   nim c -o:/home/you/.bashrc x.nim
ask    nim c --gcc.exe:/tmp/evil x.nim
ask    crystal run x.cr
deny   crystal build -o /home/you/.bashrc x.cr
ask    v run x.v
ask    v x.vsh
allow  gcc -O2 -Wall -o app main.c -lm
allow  gcc -I/usr/include/foo -L/usr/local/lib -Wl,-rpath,/usr/local/lib -o app a.c
allow  gcc -c a.c -o a.o -MMD -MF a.d
allow  g++ -std=c++20 -fsanitize=address a.cpp -o /tmp/a.out
allow  clang -DPREFIX='"/usr/local"' -c a.c
allow  clang -isysroot /Library/SDK a.c
allow  ld -o app a.o -lc -dynamic-linker /lib64/ld-linux-x86-64.so.2
allow  nasm -f elf64 a.asm -o a.o
allow  nvcc -arch=sm_80 -o app a.cu
allow  rustc -O main.rs -o main
allow  rustc --edition 2021 -C opt-level=3 main.rs
allow  javac -d out -cp lib/a.jar src/A.java
allow  kotlinc Main.kt -include-runtime -d main.jar
allow  ghc -O2 Main.hs -o main
allow  swiftc -O main.swift -o main
allow  zig build
allow  zig build-exe main.zig
allow  zig test src/main.zig
allow  zig fmt src
allow  nim c main.nim
allow  nim c -d:release -o:bin/main main.nim
allow  crystal build src/a.cr -o bin/a
allow  crystal spec
allow  v .
allow  v -prod main.v
allow  solc --bin -o build a.sol
allow  elm make src/Main.elm --output=main.js
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
