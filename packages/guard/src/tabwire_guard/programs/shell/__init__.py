"""What a shell does itself, and what runs other commands.

builtins.py  what bash does itself
wrappers.py  programs that run other programs: sudo, env, timeout
scripts.py   `sh -c`, script files, and what is piped into a shell
"""
