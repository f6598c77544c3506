"""Runs histories of the model, and prints each step with its results as a line of JSON.

python3 trace.py FIRST COUNT STEPS [PROFILE]

Another implementation repeats the steps, and compares its results. Integers are strings, because
some exceed 2^53. The first member of each line, "t", is the kind of the step.
"""

import json
import sys

import design
import model


def emit(kind, **members):
    print(json.dumps(dict(t=kind, **members), separators=(",", ":")))


def argument(value):
    return ["i", str(value)] if isinstance(value, int) else value


def values(fields):
    return {k: argument(v) for k, v in fields.items()}


class Client(design.Client):
    """A device that prints what it does."""

    statements = None

    def x(self, sql, args=()):
        if self.statements is not None and not self.updates_several_rows(sql):
            self.statements.append([sql, [argument(a) for a in args]])
        return super().x(sql, args)

    def edit(self, fn):
        made = []

        def recorded():
            self.statements = made
            try:
                fn()
            finally:
                self.statements = None

        done = super().edit(recorded)
        if done:
            emit("edit", c=self.idx, now=str(self.sim.now), sql=made, state=self.state())
        return done

    def unless_crashed(self, call, kind, **members):
        crashes = self.sim.stat["client_crash"]
        result = call()
        if self.sim.stat["client_crash"] == crashes:
            emit(kind, c=self.idx, now=str(self.sim.now), **members, state=self.state())
        return result

    def seal(self, limit):
        return self.unless_crashed(lambda: design.Client.seal(self, limit), "seal", limit=limit)

    def execute(self, limit):
        return self.unless_crashed(
            lambda: design.Client.execute(self, limit), "execute", limit=limit)

    def upgrade_schema(self):
        if self.schema == 1:
            self.unless_crashed(lambda: design.Client.upgrade_schema(self), "upgrade")

    def on_push_result(self, m):
        self.unless_crashed(
            lambda: design.Client.on_push_result(self, m), "receive", answer=m["aid"])

    def on_page(self, m):
        self.unless_crashed(lambda: design.Client.on_page(self, m), "receive", answer=m["aid"])

    def packets(self, size):
        packets = super().packets(size)
        emit("packets", c=self.idx, size=size, packets=[
            dict(rt=str(p["rt"]), ops=[self.operation(op) for op in p["ops"]]) for p in packets])
        for index, p in enumerate(packets):
            p["index"] = index
        return packets

    def operation(self, op):
        shown = dict(
            seq=str(op["seq"]), id=op["data"], kind=op["kind"], hlc=str(op["hlc"]),
            ts=str(op["ts"]), base=str(op["base"]), seen=str(op["seen"]),
            cursor=str(op["base_cursor"]), head=str(op["known_head"]),
            precedes=int(op["precedes_contact"]), set=values(op["set"]),
            hidden=sorted(c for c in op["hidden"] if c in op["set"]))
        if op["kind"] != "delete":
            shown.update(inc=str(op["inc"]), absorbed=[str(c) for _, c in op["absorbed"]])
        if op["kind"] == "insert":
            shown["abs"] = str(op["abs"])
        return shown

    def pull_request(self, limit):
        return dict(super().pull_request(limit), limit=limit)

    def queued(self, seq, row, state, version):
        state = "confirmed" if state == "echoed" else state
        return [str(seq or 0), row, state, str(version or 0)]

    def state(self):
        s = self.scope()
        versions = dict(self.db.execute("SELECT primary_key,version FROM sync_record"))
        rows = {i: [str(versions.get(i, 0)), values(self.visible(i))] for i in self.ids()}
        queue = self.db.execute(
            "SELECT seq,primary_key,state,server_version FROM sync_to_sync WHERE state IN "
            "('sealed','confirmed','echoed','acked') ORDER BY local_id").fetchall()
        return dict(
            rows=rows, queue=[self.queued(*q) for q in queue],
            seq=str(s["next_seq"] - 1), rt=str(s["results_through"]), dl=str(s["dl"]),
            ap=str(s["ap"]), cc=str(s["cc"]), mode=s["mode"], gen=str(s["gen"]),
            floor=None if s["sfloor"] is None else str(s["sfloor"]),
            replica=s["replica"],
            clock=str(self.db.execute("SELECT hlc FROM sync_clock").fetchone()[0]))


class Server(design.Server):
    """A server that prints what it does."""

    def handle(self, m):
        return self.sim.handle(m)

    def gc(self, floor):
        super().gc(floor)
        emit("compact", floor=str(floor), state=self.state())

    def state(self, version=-1):
        s = self.sc()
        rows = self.db.execute(
            "SELECT data_id,version,deleted,hlc,writer,fields,field_meta FROM sync_record "
            "WHERE version>? ORDER BY version", (version,)).fetchall()
        return dict(
            head=str(s["head"]), floor=str(s["floor"]), hlc=str(s["hlc"]),
            count=self.db.execute("SELECT COUNT(*) FROM sync_record").fetchone()[0],
            rows=[[r[0], str(r[1]), r[2], str(r[3]), r[4], values(json.loads(r[5])),
                   {f: [str(m[0]), str(m[1]), m[2]] for f, m in json.loads(r[6]).items()}]
                  for r in rows])

    def conflicts(self):
        found = []
        for version, kind, body in self.db.execute("SELECT version,kind,body FROM sync_loss"):
            data, lost = json.loads(body)
            found.append([version, kind, data, {
                k: v for k, v in lost.items() if k not in ("n", "kind")}])
        return sorted(found, key=lambda c: json.dumps(c))


class Sim(model.Sim):
    """A history that prints its steps."""

    messages = 0

    def __init__(self, seed, steps, profile):
        super().__init__(seed, steps, profile)
        emit("start", seed=seed, policy=self.policy, profile=self.prof, devices=[
            dict(schema=c.schema, skew=str(c.skew), replica=c.scope()["replica"])
            for c in self.clients])

    def send(self, dst, m):
        if dst == "S":
            self.messages += 1
            m = dict(m, mid=self.messages)
            if m["t"] == "push":
                emit("push", c=m["c"], mid=m["mid"], index=m["index"])
            else:
                emit("pull", c=m["c"], mid=m["mid"], limit=m["limit"])
        super().send(dst, m)

    def handle(self, m):
        """Lets the server answer a message, and prints the answer."""
        head = self.server.head()
        answer = super(Server, self.server).handle(m)
        if answer is None:
            emit("crash")
            return None
        self.messages += 1
        answer["aid"] = self.messages
        summary = {}
        if "error" in answer:
            summary["error"] = answer["error"]
        elif answer["t"] == "push_result":
            summary["held"] = answer["held"] if "held" in answer else False
            summary["results"] = [
                [str(r["seq"]), r["status"], str(r["version"] or 0)]
                for r in answer.get("results", [])]
        else:
            summary.update(
                to=str(answer["to"]), more=answer["more"], through=str(answer["through"][0]),
                rows=[[r["id"], str(r["version"]), r["deleted"]] for r in answer["changes"]])
        emit("serve", mid=m["mid"], aid=answer["aid"], now=str(self.now), answer=summary,
             state=self.server.state(head))
        return answer

    def rare(self, c):
        backups, clients = list(self.backups), len(self.clients)
        timelines, backup = self.stat["timeline"], getattr(self, "sbk", None)
        super().rare(c)
        if len(self.backups) > len(backups):
            emit("backup", c=c.idx)
        elif len(self.backups) < len(backups):
            index = next(
                i for i, b in enumerate(backups)
                if i >= len(self.backups) or self.backups[i][1] is not b[1])
            device = self.clients[backups[index][0]]
            emit("restore", c=device.idx, index=index, state=device.state())
        elif len(self.clients) > clients:
            emit("clone", c=c.idx, state=self.clients[-1].state())
        elif self.stat["timeline"] > timelines:
            emit("restoreServer", state=self.server.state())
        elif getattr(self, "sbk", None) is not backup:
            emit("backUpServer")

    def run(self):
        super().run()
        emit("end", state=self.server.state(), conflicts=self.server.conflicts())


model.Client = Client
model.Server = Server


def main():
    first, count, steps = (int(a) for a in sys.argv[1:4])
    profile = sys.argv[4] if len(sys.argv) > 4 else None
    for seed in range(first, first + count):
        try:
            Sim(seed, steps, profile).run()
        except model.Violation as violation:
            emit("violation", seed=seed, text=str(violation))


if __name__ == "__main__":
    main()
