#!/usr/bin/env python3
"""A synchronisation client for the books of a lending library, in plain Python 3.11.

(Docs/Guides/SyncingFromOtherLanguages.md)
"""
import argparse, sys

from sync_http import Server, SyncError, Unavailable
from sync_replica import COLUMNS, Library


def watch(library, server):
    """Synchronises after each change of the server, and at least every 25 seconds."""
    while True:
        try:
            library.sync(server)
            print("digest", library.digest(), flush=True)
            known = {library.state["scope"]: library.state["cursor"]}
            server.send("wait", {"scopes": known, "milliseconds": 25_000})
        except Unavailable as error:
            print(f"sync_client: {error}", file=sys.stderr, flush=True)


def column(text):
    """Returns the name and the value of an argument such as `title=Emma`."""
    name, _, value = text.partition("=")
    if name not in COLUMNS:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(COLUMNS)}, `=` and a value")
    return name, (int(value) if name == "copies" else value) if value else None


def main():
    kinds = {"add": "insert", "edit": "update", "remove": "delete"}
    parser = argparse.ArgumentParser(description="Synchronises the books of a lending library.")
    for name in ("--server", "--token-file", "--database", "--scope"):
        parser.add_argument(name, required=name in ("--database", "--scope"))
    parser.add_argument("command", choices=(*kinds, "list", "sync", "watch"))
    parser.add_argument("book", nargs="?")
    parser.add_argument("values", nargs="*", type=column, metavar="COLUMN=VALUE")
    options = parser.parse_args()
    if options.command in kinds and not options.book:
        parser.error("the identifier of the book is missing")
    if options.command in ("sync", "watch") and not (options.server and options.token_file):
        parser.error("--server and --token-file are missing")
    try:
        library = Library(options.database, options.scope)
        if options.command in kinds:
            missing = dict.fromkeys(COLUMNS) if options.command == "add" else {}
            library.record(kinds[options.command], options.book, missing | dict(options.values))
        elif options.command == "list":
            library.show()
        else:
            action = watch if options.command == "watch" else Library.sync
            action(library, Server(options.server, options.token_file))
    except SyncError as error:
        sys.exit(f"sync_client: {error}")


if __name__ == "__main__":
    main()
