"""The model with the decisions in which the Swift implementation deliberately differs from it.

Each difference has the number that Docs/Decisions/0062 gives it, such as [N3]. The classes replace
those of the model, so that everything else remains the rule of the model.
"""

import json
import sys

import model
from model import H, OVERLAY, SCOPE

_triggers = model.trigger_ddl


def trigger_ddl(cols):
    """[N1] [N2] The clock follows the operations that are computed, not those that are captured."""
    text = _triggers(cols)
    tick = text[text.index("UPDATE sync_clock SET hlc"):]
    tick = tick[: tick.index(";") + 1]
    text = text.replace(tick, "")
    time = "(SELECT MAX(hlc+1,(wall_ms+offset_ms)*65536) FROM sync_clock)"
    text = text.replace("hlc=(SELECT hlc FROM sync_clock)", f"hlc=MAX(hlc+1,{time})")
    last = (
        "CASE r.isDirty WHEN 0 THEN 0 ELSE COALESCE((SELECT o.hlc FROM sync_to_sync o WHERE "
        "o.primary_key=r.primary_key ORDER BY o.local_id DESC LIMIT 1),0) END"
    )
    new = f"c.wall_ms, MAX(c.hlc+1,(c.wall_ms+c.offset_ms)*65536,{last}+1), 'pending'"
    assert "c.wall_ms, c.hlc, 'pending'" in text
    return touch_before_upsert(text.replace("c.wall_ms, c.hlc, 'pending'", new), cols)


def touch_before_upsert(text, cols):
    """[N11] An upsert of an existing row touches the row before the insertion and the update."""
    update = text[text.index("CREATE TRIGGER sync_item_au"):]
    update = update[: update.index("END;\n")]
    insertion = update[update.index("INSERT INTO sync_to_sync("):]
    insertion = insertion[: insertion.index(";")]
    start, end = insertion.index("'update',") + 9, insertion.index("NEW.n-OLD.n") + 11
    exists = " AND EXISTS(SELECT 1 FROM item WHERE id=NEW.id);"
    renewal = (
        "UPDATE sync_to_sync SET absorbed=json_insert(absorbed,'$[#]',json_array("
        "operationIdentifier,inc)), operationIdentifier=sync_uuid(), "
        "hlc=MAX(hlc+1,(SELECT MAX(hlc+1,(wall_ms+offset_ms)*65536) FROM sync_clock)), "
        "timestamp=(SELECT wall_ms FROM sync_clock) "
        "WHERE primary_key=NEW.id AND state='pending'")
    insertion = insertion[:start] + "0,0" + insertion[end:]
    before, after = text.split("CREATE TRIGGER sync_item_ai", 1)
    head, tail = before.rsplit("END;", 1)
    return (
        head + "  " + renewal + exists + "\n  " + insertion + exists + "\nEND;" + tail
        + "CREATE TRIGGER sync_item_ai" + after)


class Client(model.Client):
    def __init__(self, sim, idx, schema):
        super().__init__(sim, idx, schema)
        self.db.execute("ALTER TABLE sync_clock ADD COLUMN offset_ms INTEGER NOT NULL DEFAULT 0")
        # [N15] An operation states the greatest version that its replica knows, or that there is
        # none.
        self.db.executescript("""
            ALTER TABLE sync_scope ADD COLUMN head INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE sync_to_sync ADD COLUMN known_head INTEGER NOT NULL DEFAULT 0;
            CREATE TRIGGER sync_to_sync_head AFTER INSERT ON sync_to_sync BEGIN
              UPDATE sync_to_sync SET (base_cursor,known_head)=(
                  SELECT IIF(head=0 AND pull_gen<2,-1,NEW.base_cursor),head FROM sync_scope)
                WHERE local_id=NEW.local_id;
            END;
            """)

    @staticmethod
    def updates_several_rows(sql):
        return sql.startswith("UPDATE item SET") and "temp.t" in sql and sql.endswith("temp.t)")

    def x(self, sql, args=()):
        """[N12] An update of several rows visits them in the order of their keys."""
        if not self.updates_several_rows(sql):
            return super().x(sql, args)
        one = sql[: sql.index(" WHERE id IN")] + " WHERE id=?"
        for found in self.db.execute("SELECT id FROM temp.t ORDER BY id").fetchall():
            self.x(one, found)

    def set_server_time(self, time):
        """[N1] The difference between the clocks corrects later timestamps."""
        self.x("UPDATE sync_clock SET offset_ms=?", (time - self.wall(),))

    def materialise(self, rid):
        pending = self.x(
            "SELECT local_id,kind FROM sync_to_sync WHERE primary_key=? AND state='pending'", (rid,)
        ).fetchone()
        if not pending:
            return
        # [N15] Another device may have deleted a row that this device has known before.
        if pending[1] == "insert" and self.knows(rid, pending[0]):
            self.x("UPDATE sync_to_sync SET known_head=0 WHERE local_id=?", pending[:1])
        # [N3] A change that is taken back is not sent.
        _, base = self.base_row(rid)
        if pending[1] == "delete" and self.fold(base, self.ops(rid, OVERLAY)) is None:
            self.x("DELETE FROM sync_to_sync WHERE local_id=?", (pending[0],))
            if not self.ops(rid, OVERLAY):
                self.rebuild(rid, base, True)
        else:
            super().materialise(rid)
        # [N2]
        self.x(
            "UPDATE sync_clock SET hlc=MAX(hlc,COALESCE((SELECT MAX(hlc) FROM sync_to_sync WHERE "
            "primary_key=? AND state='ready'),0))", (rid,))

    def knows(self, rid, lid):
        """Returns whether the device had known a row before an operation began."""
        version = self.x("SELECT version FROM sync_record WHERE primary_key=?", (rid,)).fetchone()
        earlier = self.x(
            "SELECT 1 FROM sync_to_sync WHERE primary_key=? AND local_id<?", (rid, lid)).fetchone()
        return version[0] > 0 or earlier or self.base_row(rid)[1] is not None

    def packets(self, size):
        """[N15]"""
        packets = super().packets(size)
        for op in (op for packet in packets for op in packet["ops"]):
            op["known_head"] = self.db.execute(
                "SELECT known_head FROM sync_to_sync WHERE operationIdentifier=?", (op["id"],)
            ).fetchone()[0]
            op["precedes_contact"] = op["base_cursor"] < 0
            op["base_cursor"] = max(0, op["base_cursor"])
        return packets

    def note_head(self, head):
        """[N15]"""
        self.x("UPDATE sync_scope SET head=MAX(head,?)", (head,))

    def seal(self, limit):
        """[N4] Sealing an operation computes all captured changes of its record."""

        def go():
            count = 0
            while count < limit:
                found = self.x(
                    "SELECT local_id,primary_key FROM sync_to_sync WHERE state IN "
                    "('pending','ready','echoed') ORDER BY local_id LIMIT 1").fetchone()
                if not found:
                    break
                self.materialise(found[1])
                row = self.x(
                    "SELECT operationIdentifier FROM sync_to_sync WHERE local_id=?", found[:1]
                ).fetchone()
                if not row:
                    continue
                s = self.scope()
                self.x(
                    "UPDATE sync_to_sync SET state=CASE state WHEN 'echoed' THEN 'confirmed' ELSE "
                    "'sealed' END,seq=?,dependencyIdentifier=?,dependencyChain=? WHERE local_id=?",
                    (s["next_seq"], s["last_op"], s["chain"], found[0]))
                self.x(
                    "UPDATE sync_scope SET next_seq=?,last_operation_id=?,last_chain=?",
                    (s["next_seq"] + 1, row[0], H(s["chain"], row[0])))
                count += 1
            return count

        return self.tx(go)

    def reidentify(self, why):
        """[N5] A confirmed operation remains confirmed, because the pulled row contains it.

        The state of a confirmed operation without a number is "echoed".
        """
        self.sim.stat["reidentify:" + why] += 1
        self.x(
            "UPDATE sync_scope SET replica_id=?,next_seq=1,last_operation_id=NULL,last_chain=NULL,"
            "results_through=0", (self.sim.uuid("R"),))
        self.x(
            "UPDATE sync_to_sync SET seq=NULL,dependencyIdentifier=NULL,dependencyChain=NULL,"
            "state=CASE state WHEN 'sealed' THEN 'ready' WHEN 'confirmed' THEN 'echoed' ELSE state "
            "END")

    def start_reset(self, epoch, timeline):
        first = self.scope()["epoch"] is None
        super().start_reset(epoch, False)
        if not timeline or first:
            return
        self.x("UPDATE sync_record SET version=0")
        self.x("UPDATE sync_scope SET head=0")
        self.x(
            "UPDATE sync_to_sync SET base=0,seen=0,base_cursor=MIN(base_cursor,0),known_head=0,"
            "server_version=NULL")
        self.x("UPDATE sync_to_sync SET state='ready' WHERE state='acked'")
        # [N5] The rows of another history may not contain what was confirmed.
        for lid, rid in self.x(
            "SELECT local_id,primary_key FROM sync_to_sync WHERE state IN ('confirmed','echoed') "
            "ORDER BY local_id").fetchall():
            self.materialise(rid)
            kind, base = self.base_row(rid)
            base = self.visible(rid) if kind == "clean" else base
            self.x("UPDATE sync_to_sync SET state='ready' WHERE local_id=?", (lid,))
            if self.x("SELECT 1 FROM sync_record WHERE primary_key=?", (rid,)).fetchone():
                self.rebuild(rid, base, True)
        self.reidentify("timeline")

    def upgrade_schema(self):
        """[N13] Rows with values of new columns are computed and shown with the own changes."""
        if self.schema == 2:
            return
        rows = [r[0] for r in self.db.execute("SELECT identifier FROM sync_extra").fetchall()]
        super().upgrade_schema()
        if self.schema == 2:
            self.fuse = None
            self.tx(lambda: [self.show(row) for row in rows])

    def show(self, row):
        self.materialise(row)
        kind, base = self.base_row(row)
        if kind == "dirty":
            self.rebuild(row, base, True)

    def on_push_result(self, m):
        if m.get("held"):
            return  # [N6] The answer about a held packet has no results.
        if "error" in m:
            return super().on_push_result(m)

        def go():
            s = self.scope()
            # [N14] Results of a history that the replica has not begun to pull are ignored.
            if (m["replica"], m["epoch"]) != (s["replica"], s["epoch"]):
                return
            for r in m["results"]:
                self.accept_result(r, s["cc"])
            low = self.x(
                "SELECT MIN(seq) FROM sync_to_sync WHERE state IN ('sealed','confirmed')"
            ).fetchone()[0]
            self.x(
                "UPDATE sync_scope SET results_through=?",
                (low - 1 if low else s["next_seq"] - 1,))
            self.note_head(m["head"])
            self.set_server_time(m["time"])

        self.tx(go)

    def accept_result(self, r, consistent):
        """[N3] Captured changes are computed before a result changes anything of their record."""
        op = self.x(
            "SELECT local_id,primary_key,state,payload FROM sync_to_sync WHERE "
            "operationIdentifier=? AND seq=?", (r["id"], r["seq"])).fetchone()
        if not op or op[2] not in ("sealed", "confirmed"):
            return
        lid, rid, state, payload = op
        dirty, base = self.base_row(rid)
        if dirty == "dirty":
            self.materialise(rid)
        v = r["version"] or 0
        rec = self.x("SELECT version FROM sync_record WHERE primary_key=?", (rid,)).fetchone()
        if r["status"] in ("parked", "stale", "rejected"):
            self.x(
                "INSERT INTO sync_conflict(kind,table_name,identifier,operationIdentifier,payload) "
                "VALUES(?,?,?,?,?)", (r["status"], "item", rid, r["id"], payload))
            self.x("DELETE FROM sync_to_sync WHERE local_id=?", (lid,))
        elif state == "confirmed" or v == 0 or (rec and rec[0] >= v) or v <= consistent:
            self.x("DELETE FROM sync_to_sync WHERE local_id=?", (lid,))
        else:
            self.x(
                "UPDATE sync_to_sync SET state='acked',server_version=? WHERE local_id=?", (v, lid))
        if dirty == "dirty":
            self.rebuild(rid, base, True)

    def on_page(self, m):
        if "error" in m:
            s = self.scope()
            # [N16] A snapshot that has just begun does not begin again.
            if m["error"] == "reset" and m["epoch"] == s["epoch"] and (
                    s["mode"] == "snapshot" and s["dl"] == 0):
                return None
            return super().on_page(m)

        def go():
            s = self.scope()
            if (m["replica"], m["gen"], m["from"]) != (s["replica"], s["gen"], s["dl"]):
                return
            number, operation, chain = m["through"]
            if number >= s["next_seq"]:
                return self.reidentify("server_ahead")
            mine = self.x(
                "SELECT operationIdentifier,dependencyChain FROM sync_to_sync WHERE seq=?",
                (number,)).fetchone()
            if mine and (mine[0] != operation or H(mine[1], mine[0]) != chain):
                return self.reidentify("through_mismatch")
            if not mine and number and number == s["next_seq"] - 1 and s["chain"] != chain:
                return self.reidentify("through_mismatch")
            snapshot = s["mode"] == "snapshot"
            for row in m["changes"]:
                self.stage(s, number, "snapchange" if snapshot else "change", row["version"], row)
            end = "page" if m["more"] else "snapend" if snapshot else "end"
            self.stage(s, number, end, m["to"])
            if not m["more"]:
                self.x("UPDATE sync_scope SET mode='incremental'")
            self.x(
                "UPDATE sync_scope SET download_cursor=?,snapshot_floor=COALESCE(snapshot_floor,?)",
                (m["to"], m["floor"]))
            self.x("UPDATE sync_clock SET hlc=MAX(hlc,?)", (m["hlc"],))
            self.note_head(max(m["head"], m["to"]))
            self.set_server_time(m["time"])

        self.tx(go)

    def stage(self, s, through, kind, version, row=None):
        row = row or {}
        self.x(
            "INSERT INTO sync_to_execute(table_name,identifier,version,deleted,fields,hlc,"
            "replica_id,applied_through,kind) VALUES(?,?,?,?,?,?,?,?,?)",
            (row.get("table"), row.get("id"), version, row.get("deleted"),
             json.dumps(row["fields"]) if row else None, row.get("hlc"), s["replica"], through,
             kind))


class Server(model.Server):
    def __init__(self, sim, policy):
        super().__init__(sim, policy)
        self.db.executescript("""
            CREATE TABLE sync_loss(operation TEXT, kind TEXT, version INTEGER, body TEXT,
              PRIMARY KEY(operation, kind));
            CREATE TABLE sync_addition(data_id TEXT, replica TEXT, version INTEGER,
              PRIMARY KEY(data_id, replica));
            CREATE TABLE sync_retained(data_id TEXT PRIMARY KEY);
            """)

    # MARK: Packets

    def push(self, m):
        s = self.sc()
        base = dict(
            t="push_result", replica=m["replica"], epoch=s["epoch"], time=self.sim.now)
        if m["epoch"] != s["epoch"]:
            return dict(base, error="epoch")
        outcome = self.apply_packet(m)
        if outcome == "fork":
            return self.fork(m)
        held = self.held[m["replica"]]
        if outcome == "gap":
            # [N6] A packet replaces an earlier one with the same first operation.
            first = m["ops"][0]["seq"]
            held.pop(first, None)
            if len(held) < self.HELD:
                held[first] = m
                self.sim.stat["held"] += 1
            else:
                self.sim.stat["held_overflow"] += 1
            return dict(base, held=True)
        last = self.replica(m["replica"])[0]
        while held and min(held) <= last + 1:
            # [N6] A held packet that is refused later does not roll back the one before it.
            p = held.pop(min(held))
            effects = (self.tx_eff.copy(), self.tx_inc.copy())
            self.x("SAVEPOINT packet")
            if self.apply_packet(p):
                self.x("ROLLBACK TO packet")
                self.tx_eff, self.tx_inc = effects
            self.x("RELEASE packet")
            last = self.replica(m["replica"])[0]
        results = [
            dict(id=r[0], seq=r[1], status=r[2], version=r[3]) for r in self.x(
                "SELECT operation_id,seq,status,version FROM sync_operation WHERE scope_id=? AND "
                "replica_id=? AND seq>? AND seq<=? ORDER BY seq",
                (SCOPE, m["replica"], m["rt"], last))]
        return dict(base, results=results, last=last, held=False, head=self.head())

    def apply_packet(self, p):
        """Applies a packet, and returns 'fork', 'gap' or None."""
        last, lastid, chain = self.replica(p["replica"])
        # [N7] The replica has results that the server has forgotten.
        if p["rt"] > last:
            return "fork"
        first = p["ops"][0]
        if first["seq"] > last + 1:
            return "gap"
        if first["seq"] == last + 1 and (p["dep"], p["chain"]) != (lastid, chain):
            return "fork"
        known = last
        for op in p["ops"]:
            if op["seq"] <= known:
                row = self.x(
                    "SELECT operation_id FROM sync_operation WHERE scope_id=? AND replica_id=? AND "
                    "seq=?", (SCOPE, p["replica"], op["seq"])).fetchone()
                if row is None or row[0] != op["id"]:
                    return "fork"
                # [N7] The chain is compared after the last known operation, too.
                if op["seq"] == known and H(op["chain"], op["id"]) != chain:
                    return "fork"
                continue
            if op["chain"] != chain:
                return "fork"
            self.process(p["replica"], op)
            last, lastid, chain = op["seq"], op["id"], H(chain, op["id"])
        self.x(
            "UPDATE sync_replica SET last_seq=?,last_operation_id=?,chain=? WHERE scope_id=? AND "
            "replica_id=?", (last, lastid, chain, SCOPE, p["replica"]))
        return None

    def process(self, rep, op):
        known = self.x(
            "SELECT status FROM sync_operation WHERE scope_id=? AND operation_id=?",
            (SCOPE, op["id"])).fetchone()
        if known and known[0] != "in_conflict":
            self.sim.stat["dup_op"] += 1
            self.x(
                "UPDATE sync_operation SET replica_id=?,seq=? WHERE scope_id=? AND operation_id=?",
                (rep, op["seq"], SCOPE, op["id"]))
            return
        op = dict(op)
        full = op["inc"]
        if known:  # N18
            self.subtract(op, op["inc"], "in_conflict")
        for a, cum in [] if known else reversed(op["absorbed"]):
            earlier = self.x(
                "SELECT status FROM sync_operation WHERE scope_id=? AND operation_id=?",
                (SCOPE, a)).fetchone()
            if earlier:
                self.subtract(op, cum, earlier[0])
                self.sim.stat["absorbed_overlap"] += 1
                break
        st, ver = self.apply(rep, op, self.sc())
        self.x(
            "INSERT OR REPLACE INTO sync_operation VALUES(?,?,?,?,?,?,?,?)",
            (SCOPE, op["id"], rep, op["seq"], st, ver, full, self.head()))
        if op["kind"] != "delete":
            status = "absorbed" if st == "applied" else "in_conflict"  # N18
            for a, cum in op["absorbed"]:
                self.x(
                    "INSERT OR IGNORE INTO sync_operation VALUES(?,?,NULL,NULL,?,?,?,?)",
                    (SCOPE, a, status, ver, cum, self.head()))

    def subtract(self, op, increment, status):
        """[N18] Removes increments that the row or a conflict contains already."""
        op["inc"] -= increment
        if status not in ("applied", "absorbed"):
            op["abs"] -= increment
        op["is_nothing"] = op["kind"] == "update" and not op["set"] and not op["inc"]

    # MARK: Decisions

    def conflict(self, op_data, kind, loser, values):
        super().conflict(op_data, kind, loser, values)
        self.losses.append((kind, op_data, values))

    def apply(self, rep, op, s):
        self.losses = []
        before = self.record(op["data"])
        replaced = self.unseen_own_values(rep, op)
        if op.get("is_nothing"):  # N18
            self.tx_eff[op["id"]] += 1
            st, ver = "applied", 0
        elif self.is_forgotten_deletion(rep, op, s, before):
            st, ver = self.dismissed(op)
        else:
            st, ver = super().apply(rep, op, dict(s, floor=self.effective_floor(op, s, before)))
        if op["precedes_contact"] and self.record(op["data"]):
            self.x("INSERT OR IGNORE INTO sync_retained VALUES(?)", (op["data"],))
        if st == "stale":
            self.losses.append(("stale", op["data"], dict(op["set"])))
        if ver:
            self.note_additions(rep, op, ver, before is None or before[1])
        if st == "applied" and replaced:
            self.note_replaced(op, replaced)
        # [N8] A conflict without a change of the row gets a version of its own.
        if self.losses:
            version = ver or self.bump()
            for kind, data, values in self.losses:
                self.x(
                    "INSERT OR REPLACE INTO sync_loss VALUES(?,?,?,?)",
                    (op["id"], kind, version, json.dumps([data, values])))
        return st, ver

    def unseen_own_values(self, rep, op):
        """[N17] The values of the replica that its insertion replaces without having seen them."""
        row = self.x(
            "SELECT deleted,fields,field_meta FROM sync_record WHERE scope_id=? AND data_id=?",
            (SCOPE, op["data"])).fetchone()
        if op["kind"] != "insert" or row is None or row[0]:
            return {}
        fields, meta = json.loads(row[1]), json.loads(row[2])
        return {
            f: fields.get(f) for f, value in op["set"].items()
            if f in meta and meta[f][2] == rep and fields.get(f) != value
            and meta[f][0] > (op["base"] if f in op["hidden"] else op["seen"])}

    def note_replaced(self, op, values):
        """[N17]"""
        for index, (kind, data, others) in enumerate(self.losses):
            if kind == "server_lost":
                self.losses[index] = (kind, data, dict(others, **values))
                return
        self.losses.append(("server_lost", op["data"], values))

    def record(self, row):
        return self.x(
            "SELECT version,deleted,writer FROM sync_record WHERE scope_id=? AND data_id=?",
            (SCOPE, row)).fetchone()

    def effective_floor(self, op, s, record):
        """[N15] Returns 0 if the operation was not applied and forgotten before."""
        is_known = max(op["base_cursor"], op["known_head"]) >= s["floor"]
        is_first = record is None and op["kind"] == "insert" and op["precedes_contact"]
        return 0 if is_known or is_first else s["floor"]

    def is_forgotten_deletion(self, rep, op, s, record):
        """[N15] A retained tombstone of the author need not be in the author's file."""
        if record is None or not record[1] or op["kind"] != "insert":
            return False
        version, _, writer = record
        is_pulled = version <= max(op["base_cursor"], op["base"])
        return writer == rep and version <= s["floor"] and not is_pulled

    def dismissed(self, op):
        if self.policy == "ask":
            self.conflict(op["data"], "open", op["id"], dict(op["set"], n=op["inc"]))
            return "parked", 0
        self.conflict(
            op["data"], "update_deleted", op["id"], dict(op["set"], n=op["inc"], kind=op["kind"]))
        return "lost", 0

    def gc(self, floor):
        """[N15] The tombstones of rows that were inserted before any contact remain."""
        self.x(
            "DELETE FROM sync_record WHERE scope_id=? AND deleted=1 AND version<=? AND data_id NOT "
            "IN (SELECT data_id FROM sync_retained)", (SCOPE, floor))
        self.x("DELETE FROM sync_operation WHERE scope_id=? AND processed_at<=?", (SCOPE, floor))
        self.x("UPDATE sync_scope SET gc_floor=MAX(gc_floor,?) WHERE scope_id=?", (floor, SCOPE))

    def note_additions(self, rep, op, version, is_created):
        """[N9] A deletion also stores counters that others changed and its author had not seen."""
        if op["kind"] == "delete":
            others = self.x(
                "SELECT MAX(version) FROM sync_addition WHERE data_id=? AND replica<>?",
                (op["data"], rep)).fetchone()[0]
            if others and others > op["base"] and not self.losses:
                self.losses.append(("delete_wins", op["data"], {}))
            return
        if is_created:
            self.x("DELETE FROM sync_addition WHERE data_id=?", (op["data"],))
        if is_created or op["inc"]:
            self.x(
                "INSERT OR REPLACE INTO sync_addition VALUES(?,?,?)", (op["data"], rep, version))

    # MARK: Pages

    def pull(self, m):
        page = super().pull(m)
        page["time"] = self.sim.now
        if "error" in page:
            return page
        # [N8] [N10] A page ends with its last row or conflict if the limit is reached.
        s, limit = self.sc(), m["limit"]
        rows = page["changes"]
        end = rows[-1]["version"] if len(rows) == limit else s["head"]
        losses = self.x(
            "SELECT version FROM sync_loss WHERE version>? AND version<=? ORDER BY version LIMIT ?",
            (m["cursor"], end, limit)).fetchall()
        if len(losses) == limit:
            end = losses[-1][0]
        page["changes"] = [r for r in rows if r["version"] <= end]
        return dict(page, to=end, more=end < s["head"], head=s["head"])


model.trigger_ddl = trigger_ddl
model.Client = Client
model.Server = Server

if __name__ == "__main__":
    first, last = int(sys.argv[1]), int(sys.argv[2])
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 160
    sys.exit(1 if model.main(first, last, steps) else 0)
