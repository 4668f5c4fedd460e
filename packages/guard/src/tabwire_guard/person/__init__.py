"""What the guard keeps for a person: their rules, and which decisions were made.

In:  the person's home folder of Tabwire, a workspace, a command.
Out: a Judgement that counts the person's rules. Nothing is run.

where.py      where the files are, found fast; home.py: how they are written
rule_files.py the rules: guard.toml in that folder, .tabwire/guard.toml of a workspace
decisions.py  the last decisions, so that a change of rules can be tried on them
judgement.py  a command judged with the rules that hold in its workspace
listing.py    every rule that holds, and the score on labelled commands

Unlike the judgement itself, this part reads and writes files.
"""
