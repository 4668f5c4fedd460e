"""What a command ends with. One table for every door that has exit codes."""

COMPLETE = 0
FAILED = 1
USAGE = 2  # an argument is invalid, or its file is unreadable
PARTIAL = 3
NEEDS_YOU = 4  # a login, a challenge, an approval
LIMIT = 5
STOPPED = 6  # somebody stopped it
LOST = 7  # what was watched went away and did not come back
INTERRUPTED = 130  # 128 + SIGINT, as shells count it
