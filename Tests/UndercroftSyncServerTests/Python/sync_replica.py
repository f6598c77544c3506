"""A table of books that is synchronised with a server. (Docs/Formats/SyncWire.md)

Each change is one operation. There are no counters, groups, batches and encrypted values.
"""
import base64, hashlib, json, sqlite3, time, uuid

from sync_http import SyncError, TooLarge

COLUMNS = ("title", "author", "copies")
NO_CHAIN = "00" * 32
RESETS = 8
TABLES = (
    "book(id TEXT PRIMARY KEY NOT NULL, title, author, copies)",
    "pulled(id TEXT PRIMARY KEY NOT NULL, version INTEGER, gen INTEGER, fields TEXT)",
    """queue(number INTEGER PRIMARY KEY AUTOINCREMENT, book TEXT, identifier TEXT UNIQUE,
      operation TEXT, seq INTEGER, dependency TEXT, chain TEXT, version INTEGER)""",
    "conflict(id TEXT PRIMARY KEY NOT NULL, body TEXT)",
    """state(one INTEGER PRIMARY KEY CHECK (one = 1), scope TEXT, replica TEXT, epoch TEXT,
      cursor INTEGER DEFAULT 0, gen INTEGER DEFAULT 0, snapshot INTEGER DEFAULT 1, floor INTEGER,
      hlc INTEGER DEFAULT 0, count INTEGER DEFAULT 0, last TEXT, chain TEXT)""")


def to_wire(value):
    """Returns the JSON form of a text, an integer or NULL."""
    return {"$i": str(value)} if isinstance(value, int) and abs(value) > 1 << 53 else value


def from_wire(value):
    """Returns the value of SQLite for its JSON form."""
    readers = {"$i": int, "$r": float, "$b": base64.b64decode,
               "$t": lambda text: base64.b64decode(text).decode("utf-8", "replace")}
    if not isinstance(value, dict):
        return value
    [(tag, text)] = value.items()
    if tag not in readers:
        raise SyncError(f"a value has the unknown type {tag}; update this program")
    return readers[tag](text)


def extended(chain, identifier):
    """Returns the hash of a chain after one more operation."""
    return hashlib.sha256(bytes.fromhex(chain) + identifier.encode()).hexdigest()


class Library:
    def __init__(self, path, scope):
        self.db = sqlite3.connect(path, isolation_level=None, timeout=60)
        self.db.row_factory = sqlite3.Row
        self.packet_operations, self.resets = 100, 0
        with self.db:
            self.run("BEGIN IMMEDIATE")
            for table in TABLES:
                self.run("CREATE TABLE IF NOT EXISTS " + table)
            self.run("INSERT OR IGNORE INTO state(one, scope, replica, chain) VALUES (1, ?, ?, ?)",
                     scope, uuid.uuid4().hex, NO_CHAIN)
        if self.state["scope"] != scope:
            raise SyncError(f"the database belongs to the scope {self.state['scope']}")

    def run(self, statement, *values):
        return self.db.execute(statement, values).fetchall()

    @property
    def state(self):
        return self.run("SELECT * FROM state")[0]

    def pulled(self, book):
        """Returns the row of the server, or `None`."""
        return next(iter(self.run("SELECT * FROM pulled WHERE id = ?", book)), None)

    def operations(self, book):
        """Returns the operations that the pulled row of a book does not contain yet."""
        found = self.run("SELECT operation FROM queue WHERE book = ? ORDER BY number", book)
        return [json.loads(row["operation"]) for row in found]

    def record(self, kind, book, values):
        """Changes a book, and adds the operation to the queue in the same transaction."""
        with self.db:
            self.run("BEGIN IMMEDIATE")
            exists = bool(self.run("SELECT * FROM book WHERE id = ?", book))
            if exists == (kind == "insert"):
                raise SyncError(f"the book {book} exists" if exists else f"there is no book {book}")
            state, row, hidden = self.state, self.pulled(book), set()
            seen = base = row["version"] if row else 0
            for earlier in self.operations(book):
                base = min(base, earlier["base"])
                hidden |= set(earlier["payload"]["set"] if earlier["kind"] == "update" else COLUMNS)
            now = int(time.time() * 1000)
            hlc = min(max(state["hlc"] + 1, now << 16), (1 << 63) - 1)
            operation = {
                "operationIdentifier": uuid.uuid4().hex, "table": "book", "dataIdentifier": book,
                "kind": kind, "timestamp": now, "hlc": f"{hlc:016x}", "schema": 1, "base": base,
                "seen": seen, "hidden": sorted(hidden), "base_cursor": state["cursor"],
                "precedes_contact": state["gen"] < 2 and state["floor"] is None}
            if kind != "delete":
                operation["payload"] = {"set": {name: to_wire(values[name]) for name in values}}
            self.run("INSERT INTO queue(book, identifier, operation) VALUES (?, ?, ?)",
                     book, operation["operationIdentifier"], json.dumps(operation))
            self.run("UPDATE state SET hlc = ?", hlc)
            self.rebuild(book)

    def rebuild(self, book):
        """Writes the visible row: the pulled row, changed by the operations of the queue."""
        row = self.pulled(book)
        fields = json.loads(row["fields"]) if row else None
        for operation in self.operations(book):
            if operation["kind"] == "delete":
                fields = None
            elif fields is not None or operation["kind"] == "insert":
                fields = {**(fields or {}), **operation["payload"]["set"]}
        self.run("DELETE FROM book WHERE id = ?", book)
        if fields is not None:
            values = [from_wire(fields.get(name)) for name in COLUMNS]
            self.run("INSERT INTO book VALUES (?, ?, ?, ?)", book, *values)

    def sync(self, server):
        """Pulls and pushes until nothing is left."""
        self.resets = 0
        self.pull(server)
        while self.push(server):
            self.pull(server)

    def pull(self, server):
        has_more = True
        while has_more:
            state = self.state
            request = {name: state[name] for name in ("scope", "epoch", "replica", "cursor", "gen")}
            page = server.send("pull", {
                **request, "schema": 1, "applied": 0 if state["snapshot"] else state["cursor"],
                "mode": "snapshot" if state["snapshot"] else "incremental",
                "snapshot_floor": state["floor"], "limit": 1000, "max_bytes": 1 << 20})
            with self.db:
                self.run("BEGIN IMMEDIATE")
                # Another process can have synchronised this file meanwhile.
                has_more = any(self.state[name] != request[name] for name in request) or (
                    self.accept_page(page))

    def accept_page(self, page):
        """Applies a page, and returns whether there is more to pull."""
        if "error" in page:
            self.accept_refusal(page)
            return True
        for change in page["changes"]:
            if change["table"] == "book":
                self.apply(change)
        for conflict in page.get("conflicts") or []:
            self.run("DELETE FROM conflict WHERE id = ?", conflict["conflict"])
            if conflict.get("resolved_by") is None:
                self.store_conflict(conflict["conflict"], conflict)
        if not page["more"]:
            self.finish_pull(page["to"])
        self.run("UPDATE state SET cursor = ?, floor = coalesce(floor, ?), hlc = max(hlc, ?)",
                 page["to"], page["gc_floor"], int(page["hlc"], 16))
        return page["more"]

    def apply(self, change):
        """Stores a row of the server, and removes the operations that it contains."""
        book, version, gen = change["dataIdentifier"], change["version"], self.state["gen"]
        self.run("UPDATE pulled SET gen = ? WHERE id = ?", gen, book)
        row = self.pulled(book)
        if row and version <= row["version"]:
            return
        self.run("DELETE FROM pulled WHERE id = ?", book)
        if not change["deleted"]:
            self.run("INSERT INTO pulled VALUES (?, ?, ?, ?)",
                     book, version, gen, json.dumps(change["fields"]))
        self.run("DELETE FROM queue WHERE book = ? AND version <= ?", book, version)
        self.rebuild(book)

    def finish_pull(self, version):
        """Removes the rows that a snapshot does not contain, and the operations up to a version."""
        if self.state["snapshot"]:
            for row in self.run("SELECT id FROM pulled WHERE gen <> ?", self.state["gen"]):
                self.run("DELETE FROM pulled WHERE id = ?", row["id"])
                self.rebuild(row["id"])
            self.run("UPDATE state SET snapshot = 0")
        for row in self.run("SELECT * FROM queue WHERE version <= ?", version):
            self.remove(row)

    def seal(self):
        """Adds the new operations to the chain, after which they never change."""
        count, last, chain = (self.state[name] for name in ("count", "last", "chain"))
        for row in self.run(
                "SELECT * FROM queue WHERE seq IS NULL AND version IS NULL ORDER BY number"):
            count += 1
            self.run("UPDATE queue SET seq = ?, dependency = ?, chain = ? WHERE number = ?",
                     count, last, chain, row["number"])
            last, chain = row["identifier"], extended(chain, row["identifier"])
        self.run("UPDATE state SET count = ?, last = ?, chain = ?", count, last, chain)

    def push(self, server):
        """Sends a packet, and returns `False` if there was nothing to send."""
        with self.db:
            self.run("BEGIN IMMEDIATE")
            self.seal()
            request = {name: self.state[name] for name in ("scope", "epoch", "replica")}
            rows = self.run("SELECT * FROM queue WHERE seq IS NOT NULL AND version IS NULL "
                            "ORDER BY seq LIMIT ?", self.packet_operations)
        if not rows:
            return False
        first = rows[0]
        try:
            answer = server.send("push", {
                **request, "schema": 1, "packet": uuid.uuid4().hex,
                "results_through": first["seq"] - 1, "dependencyIdentifier": first["dependency"],
                "dependencyChain": first["chain"] if first["dependency"] else None,
                "ops": [{**json.loads(row["operation"]), "seq": row["seq"]} for row in rows]})
        except TooLarge:
            self.packet_operations = max(1, len(rows) // 2)
            answer = {"error": "too_large", "operationIdentifier": first["identifier"]}
            if len(rows) > 1:
                return True
        with self.db:
            self.run("BEGIN IMMEDIATE")
            if all(self.state[name] == request[name] for name in request):
                self.accept_results(answer, first)
        return True

    def accept_results(self, answer, first):
        if "error" in answer:
            return self.accept_refusal(answer)
        for result in answer.get("results") or []:
            has_effect = result["status"] in ("applied", "absorbed", "lost") and result["version"]
            for row in self.run("SELECT * FROM queue WHERE identifier = ? AND seq = ?",
                                result["operationIdentifier"], result["seq"]):
                if has_effect:  # The operation remains in the queue until its effect is pulled.
                    self.run("UPDATE queue SET version = ? WHERE number = ?",
                             result["version"], row["number"])
                else:
                    self.remove(row)
        if self.run("SELECT * FROM queue WHERE number = ? AND version IS NULL", first["number"]):
            raise SyncError("the server has sent no result for the packet")

    def accept_refusal(self, refusal):
        error = refusal["error"]
        if error in ("operation_collision", "too_large"):
            return self.park(refusal["operationIdentifier"], error)
        self.resets += 1
        if self.resets > RESETS or error not in ("forked", "epoch", "reset"):
            raise SyncError(f"the server refuses the requests of this program: {error}")
        if error == "forked":
            self.reidentify()
        else:
            self.start_snapshot(refusal["epoch"])

    def reidentify(self):
        """Becomes another replica, which sends the same operations in a new chain."""
        self.run("UPDATE state SET replica = ?, count = 0, last = NULL, chain = ?",
                 uuid.uuid4().hex, NO_CHAIN)
        self.run("UPDATE queue SET seq = NULL")

    def start_snapshot(self, epoch):
        """Begins to pull all rows again; versions of another epoch mean nothing."""
        if self.state["epoch"] not in (None, epoch):
            self.run("UPDATE pulled SET version = 0")
            self.run("""UPDATE queue SET version = NULL, operation =
              json_set(operation, '$.base', 0, '$.seen', 0, '$.base_cursor', 0)""")
            self.reidentify()
        self.run("""UPDATE state SET epoch = ?, cursor = 0, floor = NULL, snapshot = 1,
          gen = gen + 1""", epoch)

    def park(self, identifier, reason):
        """Replaces an operation that the server can never accept by a conflict."""
        for row in self.run("SELECT * FROM queue WHERE identifier = ?", identifier):
            self.store_conflict(identifier, {"kind": reason, **json.loads(row["operation"])})
            self.remove(row)
        self.reidentify()

    def remove(self, row):
        self.run("DELETE FROM queue WHERE number = ?", row["number"])
        self.rebuild(row["book"])

    def store_conflict(self, identifier, body):
        self.run("INSERT INTO conflict VALUES (?, ?)", identifier, json.dumps(body))

    def digest(self):
        """Returns the number of pulled rows, and the sum of the hashes of their versions."""
        rows = self.run("SELECT id, version FROM pulled")
        hashes = [hashlib.sha256(f"book\0{row['id']}\0{row['version']}".encode()) for row in rows]
        total = sum(int.from_bytes(value.digest()[:8], "big") for value in hashes)
        return f"{len(rows)} {total % (1 << 64):016x}"

    def show(self):
        for row in self.run("SELECT * FROM book ORDER BY id"):
            print("book", json.dumps(dict(row), default=repr))
        for row in self.run("SELECT * FROM conflict ORDER BY id"):
            print("conflict", row["body"])
        print("queue", self.run("SELECT count(*) FROM queue")[0][0])
        print("digest", self.digest())
