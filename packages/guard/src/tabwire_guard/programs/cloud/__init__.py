"""What runs elsewhere, or in a box of its own.

services.py               clouds and their services, by the verb
tools.py                  Terraform, Vault, GitHub; ansible.py: Ansible
hosts.py                  services that host applications
kubernetes.py             Kubernetes
containers.py             Docker and its kin
container_environment.py  what shows the variables of containers
virtual_machines.py       virtual machines
"""
