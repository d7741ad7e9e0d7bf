"""Imports tasks from a CSV file with the columns title and due."""

import csv
import json
import sys
import urllib.request

API = "http://localhost:8080/tasks"


def rows(path):
    # FIXME: files from spreadsheets begin with a byte order mark
    with open(path, newline="") as file:
        yield from csv.DictReader(file)


def import_todo(row):
    body = json.dumps({"title": row["title"], "due": row["due"]}).encode()
    request = urllib.request.Request(API, data=body, method="POST")
    # TODO: try again when the server is busy
    urllib.request.urlopen(request)


if __name__ == "__main__":
    count = 0
    for row in rows(sys.argv[1]):
        import_todo(row)
        count += 1
    print(f"{count} todo items imported")
