"""Programs for files and for text.

changes.py         what makes, copies, moves and deletes files
archives.py        tar and zip
readers.py         what only looks; reader_options.py: the options by which it does more
listing.py         ls: what it lists, others read and delete
search.py          grep and find; xargs.py: what comes in becomes the arguments of a command
awk_sed.py         awk and sed, which have programs in their arguments; awk.py, sed.py read those
decoders.py        base64, xxd and others whose output may be a payload
"""
