"""What builds a project, and what runs its programs while it is being built.

builders.py   make, CMake, Bazel and their kin
apps.py       Maven, Gradle, Swift, Flutter
others.py     builders of smaller worlds, each by its verbs
compilers.py  compilers: what they read, write and load
runners.py    small programs that run others: at once, with other variables, on every change
devices.py    phones and boards
documents.py  documents, drawings, notebooks, data
"""
