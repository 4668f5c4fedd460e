"""What talks to other machines.

transfers.py  what is sent, and what is brought
ssh.py        ssh, scp, rsync
"""
