"""Databases.

clients.py     clients of SQL databases
stores.py      MongoDB, Redis, and tools for whole databases
migrations.py  the tools by which frameworks change databases
sql.py         what SQL does; sql_words.py: where its strings and names begin and end
"""
