#!/usr/bin/env python3
"""Executable reference model of the protocol of synchronisation.
Real SQLite (system libsqlite3) on both sides, real triggers, seeded scheduler, fault injection at every statement."""
import sqlite3, json, random, sys, collections, os, time, hashlib
def H(chain, oid): return hashlib.sha256(((chain or '') + oid).encode()).hexdigest()

SCOPE = 's'
COLS1 = ['a', 'b']            # schema v1 settable columns ; n is a counter column
COLS2 = ['a', 'b', 'c']       # schema v2 adds c
BIT = {'a': 1, 'b': 2, 'c': 4}
ALLBITS = 7
MAX_DRIFT = 60_000            # ms the server lets an hlc run ahead of its own clock
BUGS = set(filter(None, os.environ.get('BUGS', '').split(',')))   # mutation testing of the model itself

class Crash(Exception): pass
class Violation(Exception): pass

# ---------------------------------------------------------------- client
CLIENT_DDL = """
CREATE TABLE sync_clock(one INTEGER PRIMARY KEY CHECK(one=1), applying INTEGER NOT NULL DEFAULT 0, wall_ms INTEGER, hlc INTEGER NOT NULL DEFAULT 0);
INSERT INTO sync_clock(one) VALUES(1);
CREATE TABLE sync_scope(scope_id TEXT PRIMARY KEY, epoch TEXT, replica_id TEXT NOT NULL, next_seq INTEGER NOT NULL DEFAULT 1, last_operation_id TEXT, last_chain TEXT,
  results_through INTEGER NOT NULL DEFAULT 0, download_cursor INTEGER NOT NULL DEFAULT 0, applied_cursor INTEGER NOT NULL DEFAULT 0,
  mode TEXT NOT NULL DEFAULT 'incremental', pull_gen INTEGER NOT NULL DEFAULT 0, snapshot_floor INTEGER, consistent_cursor INTEGER NOT NULL DEFAULT 0);
CREATE TABLE sync_record(table_name TEXT NOT NULL, primary_key TEXT NOT NULL, identifier TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0,
  isDirty INTEGER NOT NULL DEFAULT 0, isDeleted INTEGER NOT NULL DEFAULT 0, overlay_mask INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(table_name, primary_key)) WITHOUT ROWID;
CREATE TABLE sync_to_sync(local_id INTEGER PRIMARY KEY AUTOINCREMENT, operationIdentifier TEXT NOT NULL UNIQUE, absorbed TEXT NOT NULL DEFAULT '[]', table_name TEXT NOT NULL, primary_key TEXT NOT NULL,
  kind TEXT NOT NULL, changed INTEGER NOT NULL DEFAULT 0, inc INTEGER NOT NULL DEFAULT 0, payload TEXT, base INTEGER NOT NULL, seen INTEGER NOT NULL, hidden INTEGER NOT NULL,
  base_cursor INTEGER NOT NULL, timestamp INTEGER NOT NULL, hlc INTEGER NOT NULL, dependencyIdentifier TEXT, dependencyChain TEXT, seq INTEGER, state TEXT NOT NULL, server_version INTEGER);
CREATE UNIQUE INDEX sync_to_sync_pending ON sync_to_sync(table_name, primary_key) WHERE state='pending';
CREATE INDEX sync_to_sync_rec ON sync_to_sync(table_name, primary_key, local_id);
CREATE UNIQUE INDEX sync_to_sync_seq ON sync_to_sync(seq) WHERE seq IS NOT NULL;
CREATE TABLE sync_to_execute(ordinal INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT, identifier TEXT, version INTEGER, deleted INTEGER, fields TEXT,
  hlc INTEGER, replica_id TEXT, applied_through INTEGER, kind TEXT NOT NULL);
CREATE TABLE sync_conflict(conflict_id INTEGER PRIMARY KEY, kind TEXT, table_name TEXT, identifier TEXT, operationIdentifier TEXT, payload TEXT);
CREATE TABLE sync_extra(table_name TEXT, identifier TEXT, fields TEXT, PRIMARY KEY(table_name, identifier));
CREATE TABLE sync_seen(identifier TEXT PRIMARY KEY);
"""
OVERLAY = "('ready','sealed','acked')"

def user_ddl(cols):
    c = ', '.join(f'{x} TEXT' for x in cols)
    return f"""CREATE TABLE item(id TEXT PRIMARY KEY NOT NULL, {c}, n INTEGER NOT NULL DEFAULT 0);
CREATE TABLE sync_shadow_item(id TEXT PRIMARY KEY NOT NULL, exists_ INTEGER NOT NULL, {c}, n INTEGER);"""

def trigger_ddl(cols):
    ol = ', '.join(cols); old = ', '.join(f'OLD.{x}' for x in cols)
    mask = ' | '.join(f'(CASE WHEN NEW.{x} IS NOT OLD.{x} THEN {BIT[x]} ELSE 0 END)' for x in cols)
    allm = sum(BIT[x] for x in cols)
    W = "WHEN (SELECT applying FROM sync_clock)=0"
    newop = lambda kind, changed, inc, ref: f"""
  INSERT INTO sync_to_sync(operationIdentifier,table_name,primary_key,kind,changed,inc,base,seen,hidden,base_cursor,timestamp,hlc,state)
   SELECT sync_uuid(),'item',{ref}.id,{kind},{changed},{inc},
     MIN(r.version, COALESCE((SELECT MIN(base) FROM sync_to_sync o WHERE o.table_name='item' AND o.primary_key={ref}.id AND o.state IN {OVERLAY}), r.version)),
     r.version, r.overlay_mask, s.applied_cursor, c.wall_ms, c.hlc, 'pending'
   FROM sync_record r, sync_scope s, sync_clock c
   WHERE r.table_name='item' AND r.primary_key={ref}.id
     AND NOT EXISTS(SELECT 1 FROM sync_to_sync p WHERE p.table_name='item' AND p.primary_key={ref}.id AND p.state='pending');"""
    tick = "UPDATE sync_clock SET hlc = MAX(hlc+1, COALESCE(wall_ms, CAST((julianday('now')-2440587.5)*86400000 AS INTEGER))*65536);"
    rec = lambda ref: f"INSERT INTO sync_record(table_name,primary_key,identifier) SELECT 'item',{ref}.id,{ref}.id WHERE NOT EXISTS(SELECT 1 FROM sync_record WHERE table_name='item' AND primary_key={ref}.id);"
    return f"""
CREATE TRIGGER sync_item_bi BEFORE INSERT ON item {W} BEGIN
  INSERT INTO sync_shadow_item(id,exists_,{ol},n) SELECT id,1,{ol},n FROM item WHERE id=NEW.id AND NOT EXISTS(SELECT 1 FROM sync_shadow_item WHERE id=NEW.id);
END;
CREATE TRIGGER sync_item_ai AFTER INSERT ON item {W} BEGIN
  {tick}
  {rec('NEW')}
  INSERT INTO sync_shadow_item(id,exists_) SELECT NEW.id,0 WHERE NOT EXISTS(SELECT 1 FROM sync_shadow_item WHERE id=NEW.id);
  UPDATE sync_to_sync SET state='ready', payload=json_object('set',json_object(),'inc',0) WHERE table_name='item' AND primary_key=NEW.id AND state='pending' AND kind='delete';   -- delete + insert is never coalesced
  UPDATE sync_to_sync SET absorbed=json_insert(absorbed,'$[#]',json_array(operationIdentifier,inc)), operationIdentifier=sync_uuid(), kind='insert', changed={allm}, inc=inc+NEW.n, hlc=(SELECT hlc FROM sync_clock), timestamp=(SELECT wall_ms FROM sync_clock) WHERE table_name='item' AND primary_key=NEW.id AND state='pending';
  {newop("'insert'", allm, 'NEW.n', 'NEW')}
  UPDATE sync_record SET isDirty=1,isDeleted=0,overlay_mask={ALLBITS} WHERE table_name='item' AND primary_key=NEW.id;
END;
CREATE TRIGGER sync_item_bu BEFORE UPDATE ON item {W} BEGIN
  SELECT RAISE(ABORT,'identifier is immutable') WHERE NEW.id IS NOT OLD.id;
  INSERT INTO sync_shadow_item(id,exists_,{ol},n) SELECT OLD.id,1,{old},OLD.n WHERE NOT EXISTS(SELECT 1 FROM sync_shadow_item WHERE id=OLD.id);
END;
CREATE TRIGGER sync_item_au AFTER UPDATE ON item {W} BEGIN
  {tick}
  {rec('NEW')}
  UPDATE sync_to_sync SET absorbed=json_insert(absorbed,'$[#]',json_array(operationIdentifier,inc)), operationIdentifier=sync_uuid(), changed=changed|({mask}), inc=inc+NEW.n-OLD.n, hlc=(SELECT hlc FROM sync_clock), timestamp=(SELECT wall_ms FROM sync_clock) WHERE table_name='item' AND primary_key=NEW.id AND state='pending';
  {newop("'update'", mask, 'NEW.n-OLD.n', 'NEW')}
  UPDATE sync_record SET isDirty=1,overlay_mask=overlay_mask|({mask}) WHERE table_name='item' AND primary_key=NEW.id;
END;
CREATE TRIGGER sync_item_bd BEFORE DELETE ON item {W} BEGIN
  INSERT INTO sync_shadow_item(id,exists_,{ol},n) SELECT OLD.id,1,{old},OLD.n WHERE NOT EXISTS(SELECT 1 FROM sync_shadow_item WHERE id=OLD.id);
END;
CREATE TRIGGER sync_item_ad AFTER DELETE ON item {W} BEGIN
  {tick}
  {rec('OLD')}
  UPDATE sync_to_sync SET absorbed=json_insert(absorbed,'$[#]',json_array(operationIdentifier,inc)), operationIdentifier=sync_uuid(), kind='delete', changed=0, inc=inc-OLD.n, hlc=(SELECT hlc FROM sync_clock), timestamp=(SELECT wall_ms FROM sync_clock) WHERE table_name='item' AND primary_key=OLD.id AND state='pending';
  {newop("'delete'", 0, '-OLD.n', 'OLD')}
  UPDATE sync_record SET isDirty=1,isDeleted=1,overlay_mask={ALLBITS} WHERE table_name='item' AND primary_key=OLD.id;
  -- coalescing: an insert that was never sealed and its delete cancel out
  DELETE FROM sync_to_sync WHERE table_name='item' AND primary_key=OLD.id AND state='pending'
     AND (SELECT exists_ FROM sync_shadow_item WHERE id=OLD.id)=0
     AND NOT EXISTS(SELECT 1 FROM sync_to_sync o WHERE o.table_name='item' AND o.primary_key=OLD.id AND o.state<>'pending');
  DELETE FROM sync_record WHERE table_name='item' AND primary_key=OLD.id AND NOT EXISTS(SELECT 1 FROM sync_to_sync o WHERE o.table_name='item' AND o.primary_key=OLD.id)
     AND (SELECT exists_ FROM sync_shadow_item WHERE id=OLD.id)=0;
  DELETE FROM sync_shadow_item WHERE id=OLD.id AND exists_=0 AND NOT EXISTS(SELECT 1 FROM sync_to_sync o WHERE o.table_name='item' AND o.primary_key=OLD.id);
END;
"""

class Client:
    def __init__(self, sim, idx, schema):
        self.sim, self.idx, self.schema = sim, idx, schema
        self.cols = COLS1 if schema == 1 else COLS2
        self.skew = 0
        self.db = self.open()
        self.db.executescript(CLIENT_DDL + user_ddl(self.cols) + trigger_ddl(self.cols))
        self.db.execute("INSERT INTO sync_scope(scope_id,replica_id) VALUES(?,?)", (SCOPE, sim.uuid('R')))
        self.fuse = None
        self.maxcur = {}
        self.rolled_back_values = set()
        self.gens = 0

    def open(self):
        d = sqlite3.connect(':memory:', isolation_level=None)
        d.create_function('sync_uuid', 0, lambda: self.sim.uuid('o'))      # production: lower(hex(randomblob(16)))
        return d

    # every statement goes through here so a crash can strike between any two statements
    def x(self, sql, args=()):
        if self.fuse is not None and self.db.in_transaction:
            self.fuse -= 1
            if self.fuse <= 0:
                self.fuse = None
                raise Crash()
        return self.db.execute(sql, args)

    def tx(self, fn):
        self.db.execute('BEGIN IMMEDIATE')
        try:
            r = fn()
            self.x('SELECT 1')
            self.db.execute('COMMIT')
            return r
        except Crash:
            self.db.execute('ROLLBACK')
            self.sim.stat['client_crash'] += 1
            return None
        except BaseException:
            self.db.execute('ROLLBACK')
            raise

    def scope(self):
        c = self.x("SELECT epoch,replica_id,next_seq,last_operation_id,results_through,download_cursor,applied_cursor,mode,pull_gen,snapshot_floor,consistent_cursor,last_chain FROM sync_scope")
        return dict(zip(['epoch', 'replica', 'next_seq', 'last_op', 'results_through', 'dl', 'ap', 'mode', 'gen', 'sfloor', 'cc', 'chain'], c.fetchone()))

    def wall(self): return self.sim.now + self.skew

    def visible(self, rid):
        r = self.db.execute(f"SELECT {','.join(self.cols)},n FROM item WHERE id=?", (rid,)).fetchone()
        return None if r is None else dict(zip(self.cols + ['n'], r))

    def extras(self, rid):
        r = self.db.execute('SELECT fields FROM sync_extra WHERE identifier=?', (rid,)).fetchone()
        return json.loads(r[0]) if r else {}

    def ids(self): return [r[0] for r in self.db.execute('SELECT id FROM item ORDER BY id')]

    # ---- user edits (captured by the triggers)
    def edit(self, fn):
        def go():
            self.x('UPDATE sync_clock SET wall_ms=?', (self.wall(),))
            fn()
            self.x('UPDATE sync_clock SET wall_ms=NULL')
            return True
        return self.tx(go)

    # ---- overlay machinery
    def ops(self, rid, states):
        return self.x(f"SELECT local_id,kind,payload,seq,state,server_version FROM sync_to_sync WHERE table_name='item' AND primary_key=? AND state IN {states} ORDER BY local_id", (rid,)).fetchall()

    def materialise(self, rid):
        p = self.x("SELECT local_id,kind,changed,inc FROM sync_to_sync WHERE table_name='item' AND primary_key=? AND state='pending'", (rid,)).fetchone()
        if not p: return
        lid, kind, changed, inc = p
        pay = {}
        if kind != 'delete':
            row = self.visible(rid)
            pay['set'] = {c: row[c] for c in self.cols if kind == 'insert' or changed & BIT[c]}
            pay['inc'] = inc
            if kind == 'insert': pay['abs'] = row['n']
        self.x("UPDATE sync_to_sync SET state='ready', payload=? WHERE local_id=?", (json.dumps(pay), lid))

    def base_row(self, rid):
        s = self.x(f"SELECT exists_,{','.join(self.cols)},n FROM sync_shadow_item WHERE id=?", (rid,)).fetchone()
        if s is None: return ('clean', None)
        return ('dirty', dict(zip(self.cols + ['n'], s[1:])) if s[0] else None)

    def write_visible(self, rid, row):
        self.x('UPDATE sync_clock SET applying=1')
        if row is None:
            self.x('DELETE FROM item WHERE id=?', (rid,))
        else:
            self.x(f"INSERT OR REPLACE INTO item(id,{','.join(self.cols)},n) VALUES(?{',?' * (len(self.cols) + 1)})", [rid] + [row.get(c) for c in self.cols] + [row['n'] or 0])
        self.x('UPDATE sync_clock SET applying=0')

    def write_shadow(self, rid, row):
        self.x('DELETE FROM sync_shadow_item WHERE id=?', (rid,))
        if row is None: self.x('INSERT INTO sync_shadow_item(id,exists_) VALUES(?,0)', (rid,))
        else: self.x(f"INSERT INTO sync_shadow_item(id,exists_,{','.join(self.cols)},n) VALUES(?,1{',?' * (len(self.cols) + 1)})", [rid] + [row.get(c) for c in self.cols] + [row['n']])

    def fold(self, base, ops):
        st = dict(base) if base is not None else None
        for _, kind, payload, *_ in ops:
            if kind == 'delete': st = None; continue
            p = json.loads(payload)
            if kind == 'insert' and st is None: st = dict(p['set'], n=p['abs']); continue
            if st is None: continue                       # update over a missing record
            st.update(p['set']); st['n'] = (st['n'] or 0) + p['inc']
        return st

    def rebuild(self, rid, base, known):
        """visible := fold(overlay, server base).  known = the server knows (or knew) the record at our cursor"""
        ov = self.ops(rid, OVERLAY)
        conf = self.x("SELECT 1 FROM sync_to_sync WHERE table_name='item' AND primary_key=? LIMIT 1", (rid,)).fetchone()
        self.write_visible(rid, self.fold(base, ov))
        if ov:
            self.write_shadow(rid, base)
            m = 0
            for _, kind, payload, *_ in ov:
                m |= ALLBITS if kind != 'update' else sum(BIT.get(c, 0) for c in json.loads(payload)['set'])
            self.x("UPDATE sync_record SET isDirty=1,isDeleted=?,overlay_mask=? WHERE table_name='item' AND primary_key=?", (int(ov[-1][1] == 'delete'), m, rid))
        else:
            self.x('DELETE FROM sync_shadow_item WHERE id=?', (rid,))
            self.x("UPDATE sync_record SET isDirty=0,isDeleted=0,overlay_mask=0 WHERE table_name='item' AND primary_key=?", (rid,))
            if base is None:
                self.x("DELETE FROM sync_record WHERE table_name='item' AND primary_key=?", (rid,))
                self.x("DELETE FROM sync_extra WHERE identifier=?", (rid,))

    # ---- push side
    def seal(self, limit):
        def go():
            rows = self.x("SELECT local_id,primary_key,state,operationIdentifier FROM sync_to_sync WHERE state IN ('pending','ready') ORDER BY local_id LIMIT ?", (limit,)).fetchall()
            s = self.scope(); seq, last, ch = s['next_seq'], s['last_op'], s['chain']
            for lid, rid, state, oid in rows:
                if state == 'pending': self.materialise(rid)
                if 'seal_time_ids' in BUGS and state == 'pending':
                    oid = self.sim.uuid('o'); self.x("UPDATE sync_to_sync SET operationIdentifier=?,absorbed='[]' WHERE local_id=?", (oid, lid))
                self.x("UPDATE sync_to_sync SET state='sealed',seq=?,dependencyIdentifier=?,dependencyChain=? WHERE local_id=?", (seq, last, ch, lid)); ch = H(ch, oid)
                seq += 1; last = oid
            self.x('UPDATE sync_scope SET next_seq=?,last_operation_id=?,last_chain=?', (seq, last, ch))
            return len(rows)
        return self.tx(go)

    def packets(self, size):
        s = self.scope()
        rows = self.db.execute("SELECT operationIdentifier,seq,dependencyIdentifier,table_name,primary_key,kind,payload,base,seen,hidden,base_cursor,timestamp,hlc,absorbed,dependencyChain FROM sync_to_sync WHERE state IN ('sealed','confirmed') ORDER BY seq").fetchall()
        out, cur = [], []
        for r in rows:
            if cur and (r[1] != cur[-1]['seq'] + 1 or len(cur) >= size): out.append(cur); cur = []
            pay = json.loads(r[6])
            cur.append(dict(id=r[0], seq=r[1], dep=r[2], table=r[3], data=r[4], kind=r[5], set=pay.get('set', {}), inc=pay.get('inc', 0), abs=pay.get('abs', 0), base=r[7], seen=r[8],
                            hidden=[c for c in BIT if r[9] & BIT[c]], base_cursor=r[10], ts=r[11], hlc=r[12], absorbed=json.loads(r[13]), chain=r[14]))
        if cur: out.append(cur)
        return [dict(t='push', c=self.idx, replica=s['replica'], epoch=s['epoch'], rt=s['results_through'], schema=self.schema, dep=p[0]['dep'], chain=p[0]['chain'], ops=p, sent=self.sim.now) for p in out]

    def reidentify(self, why):
        """fork / restore / server timeline change: new replica identity, same operation identifiers"""
        self.sim.stat['reidentify:' + why] += 1
        self.x("UPDATE sync_scope SET replica_id=?, next_seq=1, last_operation_id=NULL, last_chain=NULL, results_through=0", (self.sim.uuid('R'),))
        self.x("UPDATE sync_to_sync SET seq=NULL")
        self.x("UPDATE sync_to_sync SET state='ready',dependencyIdentifier=NULL,dependencyChain=NULL WHERE state IN ('sealed','confirmed')")

    def on_push_result(self, m):
        def go():
            s = self.scope()
            if m['replica'] != s['replica']: return
            if m.get('error') == 'forked': return self.reidentify('forked')
            if m.get('error') == 'epoch': return self.start_reset(m['epoch'], True)
            touched = []
            for r in m['results']:
                op = self.x("SELECT local_id,primary_key,state,kind,payload FROM sync_to_sync WHERE operationIdentifier=?", (r['id'],)).fetchone()
                if not op or op[2] not in ('sealed', 'confirmed'): continue
                lid, rid, state, kind, payload = op
                if r['status'] in ('parked', 'stale', 'rejected'):
                    self.x("INSERT INTO sync_conflict(kind,table_name,identifier,operationIdentifier,payload) VALUES(?,?,?,?,?)", (r['status'], 'item', rid, r['id'], payload))
                    self.x('DELETE FROM sync_to_sync WHERE local_id=?', (lid,))
                else:
                    v = r['version'] or 0
                    rec = self.x("SELECT version FROM sync_record WHERE table_name='item' AND primary_key=?", (rid,)).fetchone()
                    if state == 'confirmed' or v == 0 or (rec and rec[0] >= v) or v <= s['cc'] or 'ack_drops_overlay' in BUGS:
                        self.x('DELETE FROM sync_to_sync WHERE local_id=?', (lid,))
                    else:
                        self.x("UPDATE sync_to_sync SET state='acked',server_version=? WHERE local_id=?", (v, lid))
                        if 'ack_bumps_version' in BUGS: self.x("UPDATE sync_record SET version=MAX(version,?) WHERE primary_key=?", (v, rid))
                touched.append(rid)
            for rid in dict.fromkeys(touched):
                kind, base = self.base_row(rid)
                if kind == 'dirty':
                    self.materialise(rid)
                    self.rebuild(rid, base, True)
            low = self.x("SELECT MIN(seq) FROM sync_to_sync WHERE state IN ('sealed','confirmed')").fetchone()[0]
            self.x("UPDATE sync_scope SET results_through=?", ((low - 1) if low else s['next_seq'] - 1,))
        self.tx(go)

    # ---- pull side
    def pull_request(self, limit):
        s = self.scope()
        return dict(t='pull', c=self.idx, replica=s['replica'], epoch=s['epoch'], cursor=s['dl'], applied=s['ap'] if s['mode'] == 'incremental' else 0, limit=limit, gen=s['gen'], mode=s['mode'], sfloor=s['sfloor'])

    def start_reset(self, epoch, timeline):
        self.sim.stat['reset'] += 1
        self.x("DELETE FROM sync_to_execute"); self.x("DELETE FROM sync_seen")
        s = self.scope()
        first = s['epoch'] is None
        self.x("UPDATE sync_scope SET epoch=?,download_cursor=0,applied_cursor=0,consistent_cursor=0,mode='snapshot',snapshot_floor=NULL,pull_gen=pull_gen+1", (epoch,))
        if timeline and not first:
            self.x("UPDATE sync_record SET version=0")
            self.x("UPDATE sync_to_sync SET base=0,seen=0,base_cursor=0")
            self.x("UPDATE sync_to_sync SET server_version=NULL")
            # acked operations were acked on a lost timeline: they are sent again, dedupe by operation identifier
            self.x("UPDATE sync_to_sync SET state='sealed' WHERE state='acked' AND seq IS NOT NULL")
            self.x("UPDATE sync_to_sync SET state='ready' WHERE state='acked'")
            self.reidentify('timeline')

    def on_page(self, m):
        def go():
            s = self.scope()
            if m['replica'] != s['replica'] or m['gen'] != s['gen']: return            # late answer for an older identity/reset
            if m.get('error') == 'epoch': return self.start_reset(m['epoch'], True)
            if m.get('error') == 'reset': return self.start_reset(m['epoch'], False)
            if m['from'] != s['dl'] and 'no_page_check' not in BUGS: return             # duplicate or reordered page
            tseq, tid, tchain = m['through']
            if tseq >= s['next_seq']: return self.reidentify('server_ahead')
            mine = self.x("SELECT operationIdentifier,dependencyChain FROM sync_to_sync WHERE seq=?", (tseq,)).fetchone()
            if mine and (mine[0] != tid or ('id_chain' not in BUGS and H(mine[1], mine[0]) != tchain)): return self.reidentify('through_mismatch')
            if not mine and tseq and tseq == s['next_seq'] - 1 and s['chain'] != tchain and 'id_chain' not in BUGS: return self.reidentify('through_mismatch')
            snap = s['mode'] == 'snapshot'
            for ch in m['changes']:
                self.x("INSERT INTO sync_to_execute(table_name,identifier,version,deleted,fields,hlc,replica_id,applied_through,kind) VALUES(?,?,?,?,?,?,?,?,?)",
                       (ch['table'], ch['id'], ch['version'], ch['deleted'], json.dumps(ch['fields']), ch['hlc'], s['replica'], tseq, 'snapchange' if snap else 'change'))
            self.x("INSERT INTO sync_to_execute(version,replica_id,applied_through,kind) VALUES(?,?,?,?)", (m['to'], s['replica'], tseq, 'page' if m['more'] else 'snapend' if snap else 'end'))
            if snap and not m['more'] and 'late_snapshot_end' not in BUGS: self.x("UPDATE sync_scope SET mode='incremental'")
            self.x("UPDATE sync_scope SET download_cursor=?,snapshot_floor=COALESCE(snapshot_floor,?)", (m['to'], m['floor']))
            self.x("UPDATE sync_clock SET hlc=MAX(hlc,?)", (m['hlc'],))
        self.tx(go)

    def execute(self, limit):
        def go():
            rows = self.x("SELECT ordinal,table_name,identifier,version,deleted,fields,hlc,replica_id,applied_through,kind FROM sync_to_execute ORDER BY ordinal LIMIT ?", (limit,)).fetchall()
            s = self.scope(); ap = s['ap']
            for o, tbl, rid, ver, dele, fields, hlc, rep, T, kind in rows:
                T = T if rep == s['replica'] else 0
                if kind in ('change', 'snapchange'):
                    if kind == 'snapchange': self.x("INSERT OR IGNORE INTO sync_seen VALUES(?)", (rid,))
                    self.apply_change(rid, ver, dele, json.loads(fields), T)
                    ap = max(ap, ver)
                else:
                    ap = max(ap, ver)
                    if kind == 'snapend':
                        for (rid2,) in self.x("SELECT primary_key FROM sync_record WHERE table_name='item' AND primary_key NOT IN (SELECT identifier FROM sync_seen)").fetchall():
                            self.apply_change(rid2, ver, 1, {}, T, force=True)
                        # rows that exist without bookkeeping cannot happen: every synced row has a sync_record
                        self.x("UPDATE sync_scope SET mode='incremental'")
                        s['mode'] = 'incremental'
                    if kind in ('end', 'snapend'):
                        # everything up to ver is now visible here in one consistent state: acknowledged operations at or below it leave the overlay
                        gone = self.x("SELECT local_id,primary_key FROM sync_to_sync WHERE state='acked' AND server_version<=?", (ver,)).fetchall()
                        for lid, rid2 in gone: self.x("DELETE FROM sync_to_sync WHERE local_id=?", (lid,))
                        for rid2 in dict.fromkeys(g[1] for g in gone):
                            k2, b2 = self.base_row(rid2)
                            if k2 == 'dirty': self.materialise(rid2); self.rebuild(rid2, b2, True)
                        self.x("UPDATE sync_scope SET consistent_cursor=MAX(consistent_cursor,?)", (ver,))
                self.x("DELETE FROM sync_to_execute WHERE ordinal=?", (o,))
            self.x("UPDATE sync_scope SET applied_cursor=?", (ap,))
            return len(rows)
        return self.tx(go)

    def apply_change(self, rid, ver, dele, fields, T, force=False):
        rec = self.x("SELECT version FROM sync_record WHERE table_name='item' AND primary_key=?", (rid,)).fetchone()
        if rec and ver <= rec[0] and not force: return
        self.materialise(rid)
        for lid, kind, payload, seq, state, sv in self.ops(rid, "('sealed','acked','confirmed')"):
            if state == 'acked' and ((sv or 0) <= ver or (seq and seq <= T)): self.x('DELETE FROM sync_to_sync WHERE local_id=?', (lid,))
            elif state == 'sealed' and seq and seq <= T and 'ignore_through' not in BUGS: self.x("UPDATE sync_to_sync SET state='confirmed' WHERE local_id=?", (lid,))
        base = None
        if not dele:
            base = {c: fields.get(c) for c in self.cols}; base['n'] = fields.get('n', 0)
            extra = {k: v for k, v in fields.items() if k not in self.cols and k != 'n'}
            self.x("DELETE FROM sync_extra WHERE identifier=?", (rid,))
            if extra: self.x("INSERT INTO sync_extra VALUES('item',?,?)", (rid, json.dumps(extra)))
        if not rec: self.x("INSERT INTO sync_record(table_name,primary_key,identifier) VALUES('item',?,?)", (rid, rid))
        self.x("UPDATE sync_record SET version=? WHERE table_name='item' AND primary_key=?", (ver, rid))
        self.rebuild(rid, base, True)

    def upgrade_schema(self):
        if self.schema == 2: return
        def go():
            for t in ('bi', 'ai', 'bu', 'au', 'bd', 'ad'): self.x(f'DROP TRIGGER sync_item_{t}')
            self.x('UPDATE sync_clock SET applying=1')
            self.x('ALTER TABLE item ADD COLUMN c TEXT'); self.x('ALTER TABLE sync_shadow_item ADD COLUMN c TEXT')
            for rid, f in self.x("SELECT identifier,fields FROM sync_extra").fetchall():
                v = json.loads(f).get('c')
                self.x("UPDATE item SET c=? WHERE id=?", (v, rid)); self.x("UPDATE sync_shadow_item SET c=? WHERE id=? AND exists_=1", (v, rid))
            self.x('DELETE FROM sync_extra'); self.x('UPDATE sync_clock SET applying=0')
            for stmt in trigger_ddl(COLS2).split('\nEND;'):
                if stmt.strip(): self.x(stmt + '\nEND;')
            return True
        if self.tx(go): self.schema = 2; self.cols = COLS2

    def clone_db(self):
        d = self.open(); self.db.backup(d); return d

# ---------------------------------------------------------------- server
SERVER_DDL = """
CREATE TABLE sync_scope(scope_id TEXT PRIMARY KEY, epoch TEXT NOT NULL, head_seq INTEGER NOT NULL, gc_floor INTEGER NOT NULL DEFAULT 0, hlc INTEGER NOT NULL DEFAULT 0);
CREATE TABLE sync_replica(scope_id TEXT NOT NULL, replica_id TEXT NOT NULL, last_seq INTEGER NOT NULL DEFAULT 0, last_operation_id TEXT, chain TEXT, applied_cursor INTEGER NOT NULL DEFAULT 0,
  schema_version INTEGER, PRIMARY KEY(scope_id, replica_id)) WITHOUT ROWID;
CREATE TABLE sync_record(scope_id TEXT NOT NULL, table_name TEXT NOT NULL, data_id TEXT NOT NULL, version INTEGER NOT NULL, deleted INTEGER NOT NULL, hlc INTEGER NOT NULL,
  writer TEXT, fields TEXT NOT NULL, field_meta TEXT NOT NULL, PRIMARY KEY(scope_id, table_name, data_id)) WITHOUT ROWID;
CREATE UNIQUE INDEX sync_record_feed ON sync_record(scope_id, version);
CREATE TABLE sync_operation(scope_id TEXT NOT NULL, operation_id TEXT NOT NULL, replica_id TEXT, seq INTEGER, status TEXT NOT NULL, version INTEGER, inc INTEGER NOT NULL DEFAULT 0, processed_at INTEGER NOT NULL,
  PRIMARY KEY(scope_id, operation_id)) WITHOUT ROWID;
CREATE UNIQUE INDEX sync_operation_chain ON sync_operation(scope_id, replica_id, seq);
CREATE TABLE sync_conflict(conflict_id INTEGER PRIMARY KEY, scope_id TEXT, table_name TEXT, data_id TEXT, kind TEXT, loser_operation TEXT, loser_values TEXT);
"""

class Server:
    HELD = 3      # stands in for the seed's 100
    def __init__(self, sim, policy):
        self.sim, self.policy = sim, policy
        self.db = sqlite3.connect(':memory:', isolation_level=None)
        self.db.executescript(SERVER_DDL)
        self.db.execute("INSERT INTO sync_scope VALUES(?,?,0,0,0)", (SCOPE, sim.uuid('E')))
        self.held = collections.defaultdict(dict)
        self.fuse = None
        self.effects = collections.Counter()     # outside the database: oracle for exactly-once
        self.incs = collections.Counter()

    def x(self, sql, args=()):
        if self.fuse is not None and self.db.in_transaction:
            self.fuse -= 1
            if self.fuse <= 0: self.fuse = None; raise Crash()
        return self.db.execute(sql, args)

    def sc(self): return dict(zip(['epoch', 'head', 'floor', 'hlc'], self.x("SELECT epoch,head_seq,gc_floor,hlc FROM sync_scope WHERE scope_id=?", (SCOPE,)).fetchone()))

    def handle(self, m):
        self.db.execute('BEGIN IMMEDIATE'); self.tx_eff, self.tx_inc = collections.Counter(), collections.Counter()
        self.forked = False
        try:
            r = self.push(m) if m['t'] == 'push' else self.pull(m)
            if self.forked:
                self.db.execute('ROLLBACK'); return r
            self.x('SELECT 1')
            self.db.execute('COMMIT')
        except Crash:
            self.db.execute('ROLLBACK'); self.held.clear(); self.sim.stat['server_crash'] += 1
            return None
        except BaseException:
            self.db.execute('ROLLBACK'); raise
        self.effects.update(self.tx_eff); self.incs.update(self.tx_inc)
        return r

    def replica(self, rid):
        r = self.x("SELECT last_seq,last_operation_id,chain FROM sync_replica WHERE scope_id=? AND replica_id=?", (SCOPE, rid)).fetchone()
        if r is None:
            self.x("INSERT INTO sync_replica(scope_id,replica_id) VALUES(?,?)", (SCOPE, rid)); r = (0, None, None)
        return r

    def push(self, m):
        s = self.sc()
        if m['epoch'] != s['epoch']: return dict(t='push_result', replica=m['replica'], error='epoch', epoch=s['epoch'])
        last, lastid, chain = self.replica(m['replica'])
        self.x("UPDATE sync_replica SET schema_version=? WHERE scope_id=? AND replica_id=?", (m['schema'], SCOPE, m['replica']))
        queue = [m]; held = False
        while queue:
            p = queue.pop()
            if p['ops'][0]['seq'] > last + 1:
                h = self.held[p['replica']]
                if len(h) < self.HELD: h[p['ops'][0]['seq']] = p; self.sim.stat['held'] += 1
                else: self.sim.stat['held_overflow'] += 1
                held = True
                continue
            if 'trust_seq' not in BUGS and p['ops'][0]['seq'] == last + 1 and (p['dep'] != lastid or (p['chain'] != chain and 'id_chain' not in BUGS)): return self.fork(m)
            for op in p['ops']:
                if op['seq'] <= last:
                    if 'trust_seq' in BUGS: continue
                    row = self.x("SELECT operation_id FROM sync_operation WHERE scope_id=? AND replica_id=? AND seq=?", (SCOPE, p['replica'], op['seq'])).fetchone()
                    if row is None or row[0] != op['id']: return self.fork(m)
                    continue
                if 'id_chain' not in BUGS and 'trust_seq' not in BUGS and op['chain'] != chain: return self.fork(m)
                dup = self.x("SELECT status,version FROM sync_operation WHERE scope_id=? AND operation_id=?", (SCOPE, op['id'])).fetchone()
                if dup and 'no_op_dedupe' not in BUGS:
                    self.sim.stat['dup_op'] += 1
                    self.x("UPDATE sync_operation SET replica_id=?,seq=? WHERE scope_id=? AND operation_id=?", (p['replica'], op['seq'], SCOPE, op['id']))
                else:
                    op = dict(op); full = op['inc']
                    for a, cum in reversed(op['absorbed']):   # a prefix of this operation may already have arrived from a clone or a restored backup
                        if 'no_absorb' not in BUGS and self.x("SELECT 1 FROM sync_operation WHERE scope_id=? AND operation_id=? AND status IN ('applied','absorbed')", (SCOPE, a)).fetchone():
                            op['inc'] -= cum; self.sim.stat['absorbed_overlap'] += 1; break
                    self.x("SAVEPOINT op")
                    st, ver = self.apply(p['replica'], op, s)
                    self.x("RELEASE op")
                    self.x("INSERT OR REPLACE INTO sync_operation VALUES(?,?,?,?,?,?,?,?)", (SCOPE, op['id'], p['replica'], op['seq'], st, ver, full, self.head()))
                    if st == 'applied' and op['kind'] != 'delete':
                        for a, cum in op['absorbed']:
                            self.x("INSERT INTO sync_operation SELECT ?,?,NULL,NULL,'absorbed',?,?,? WHERE NOT EXISTS(SELECT 1 FROM sync_operation WHERE scope_id=? AND operation_id=?)", (SCOPE, a, ver, cum, self.head(), SCOPE, a))
                last, lastid, chain = op['seq'], op['id'], H(chain, op['id'])
            self.x("UPDATE sync_replica SET last_seq=?,last_operation_id=?,chain=? WHERE scope_id=? AND replica_id=?", (last, lastid, chain, SCOPE, m['replica']))
            h = self.held[m['replica']]
            nxt = [k for k in sorted(h) if k <= last + 1]
            if nxt: queue.append(h.pop(nxt[0]))
        res = [dict(id=r[0], seq=r[1], status=r[2], version=r[3]) for r in
               self.x("SELECT operation_id,seq,status,version FROM sync_operation WHERE scope_id=? AND replica_id=? AND seq>? AND seq<=? ORDER BY seq", (SCOPE, m['replica'], m['rt'], last))]
        return dict(t='push_result', replica=m['replica'], results=res, last=last, held=held)

    def fork(self, m):
        self.forked = True
        self.sim.stat['fork'] += 1
        return dict(t='push_result', replica=m['replica'], error='forked')

    def head(self): return self.x("SELECT head_seq FROM sync_scope WHERE scope_id=?", (SCOPE,)).fetchone()[0]
    def bump(self):
        self.x("UPDATE sync_scope SET head_seq=head_seq+1 WHERE scope_id=?", (SCOPE,)); return self.head()

    def conflict(self, op_data, kind, loser, values):
        self.sim.stat['conflict:' + kind] += 1
        if 'no_conflict_log' in BUGS: return
        self.x("INSERT INTO sync_conflict(scope_id,table_name,data_id,kind,loser_operation,loser_values) VALUES(?,?,?,?,?,?)", (SCOPE, 'item', op_data, kind, loser, json.dumps(values)))

    def apply(self, rep, op, s):
        pol = self.policy
        eff = min(op['hlc'], (self.sim.now + MAX_DRIFT) * 65536) if 'no_clamp' not in BUGS else op['hlc']
        row = self.x("SELECT version,deleted,hlc,writer,fields,field_meta FROM sync_record WHERE scope_id=? AND table_name=? AND data_id=?", (SCOPE, op['table'], op['data'])).fetchone()
        rid = op['data']
        stale = op['base_cursor'] < s['floor'] and 'no_stale' not in BUGS
        def put(deleted, fields, meta, hlc):
            v = self.bump()
            self.x("INSERT OR REPLACE INTO sync_record VALUES(?,?,?,?,?,?,?,?,?)", (SCOPE, op['table'], rid, v, deleted, hlc, rep, json.dumps(fields), json.dumps(meta)))
            self.x("UPDATE sync_scope SET hlc=MAX(hlc,?) WHERE scope_id=?", (hlc, SCOPE))
            return v
        def lost(kind):
            self.conflict(rid, kind, op['id'], dict(op['set'], n=op['inc'], kind=op['kind'])); return ('lost', 0)
        def done(st, v, reset=False):
            self.tx_eff[op['id']] += 1
            if reset: self.tx_inc[rid] = op['abs'] - self.incs[rid]
            elif op['kind'] != 'delete': self.tx_inc[rid] += op['inc']
            return (st, v)
        seen_record = lambda: row[0] <= op['base_cursor'] or row[0] <= op['base'] or row[3] == rep

        # ---- record absent on the server
        if row is None:
            if op['kind'] == 'delete': return done('applied', 0)
            if op['kind'] == 'update': return lost('update_missing')
            if op['base'] > 0: return lost('insert_missing')
            if stale: return ('stale', 0)
            v = put(0, dict(op['set'], n=op['abs']), {k: [s['head'] + 1, eff, rep] for k in op['set']}, eff)
            meta = {k: [v, eff, rep] for k in op['set']}
            self.x("UPDATE sync_record SET field_meta=? WHERE scope_id=? AND data_id=?", (json.dumps(meta), SCOPE, rid))
            return done('applied', v, reset=True)     # new incarnation: the counter restarts
        ver, deleted, rhlc, writer, fields, meta = row; fields = json.loads(fields); meta = json.loads(meta)

        # ---- record is a tombstone
        if deleted:
            if op['kind'] == 'delete': return done('applied', 0)
            if op['kind'] == 'insert' and seen_record():
                v = self.head() + 1
                put(0, dict(op['set'], n=op['abs']), {k: [v, max(eff, rhlc), rep] for k in op['set']}, max(eff, rhlc))
                return done('applied', v, reset=True)
            if pol == 'ask': self.conflict(rid, 'open', op['id'], dict(op['set'], n=op['inc'])); return ('parked', 0)
            return lost('update_deleted')

        if stale and op['inc'] and op['kind'] != 'delete': return ('stale', 0)      # cannot prove this increment was not already applied
        # ---- live record: which fields did someone else change that this replica had not seen?
        def unseen(f):
            m = meta.get(f)
            if not m or (m[2] == rep and 'no_self_writer' not in BUGS): return False
            if 'cursor_base' in BUGS: return m[0] > op['base_cursor']
            b = op['base'] if (f in op['hidden'] and 'no_hidden' not in BUGS) else op['seen']
            return m[0] > b
        if op['kind'] == 'delete':
            cf = [f for f in meta if (meta[f][2] != rep and meta[f][0] > op['base'])]
            if cf:
                vals = {f: fields.get(f) for f in cf}
                if pol == 'ask': self.conflict(rid, 'open', op['id'], {'kind': 'delete'}); return ('parked', 0)
                if pol == 'server_wins': return lost('delete_update')
                self.conflict(rid, 'delete_wins', None, vals)
            v = put(1, fields, meta, max(eff, rhlc))
            return done('applied', v)

        cf = [f for f in op['set'] if unseen(f) and fields.get(f) != op['set'][f]]
        keep = dict(op['set'])
        if cf:
            if pol == 'ask': self.conflict(rid, 'open', op['id'], op['set']); return ('parked', 0)
            if pol == 'server_wins': drop = cf
            elif pol == 'client_wins': drop = []
            elif pol == 'lww_record': drop = list(op['set']) if (eff, rep) < max((meta[f][1], meta[f][2]) for f in cf) else []
            else: drop = [f for f in cf if (eff, rep) < (meta[f][1], meta[f][2])]
            for f in drop: keep.pop(f)
            if drop: self.conflict(rid, 'op_lost', op['id'], {f: op['set'][f] for f in drop})
            over = [f for f in cf if f in keep]
            if over: self.conflict(rid, 'server_lost', None, {f: fields.get(f) for f in over})
        if not keep and not op['inc']: return done('applied', 0)
        v = self.head() + 1
        for f, val in keep.items():
            fields[f] = val; meta[f] = [v, max(eff, meta.get(f, [0, 0])[1]), rep]
        fields['n'] = fields.get('n', 0) + op['inc']
        put(0, fields, meta, max(eff, rhlc))
        return done('applied', v)

    def pull(self, m):
        s = self.sc()
        base = dict(t='page', replica=m['replica'], gen=m['gen'])
        if m['epoch'] != s['epoch']: return dict(base, error='epoch', epoch=s['epoch'])
        if m['cursor'] < s['floor'] and 'no_reset' not in BUGS and not (m['mode'] == 'snapshot' and (m['cursor'] == 0 or m['sfloor'] == s['floor'] or 'snapshot_gc' in BUGS)): return dict(base, error='reset', epoch=s['epoch'])
        last, lastid, chain = self.replica(m['replica'])
        self.x("UPDATE sync_replica SET applied_cursor=MAX(applied_cursor,?) WHERE scope_id=? AND replica_id=?", (m['applied'], SCOPE, m['replica']))
        rows = self.x("SELECT table_name,data_id,version,deleted,hlc,fields FROM sync_record WHERE scope_id=? AND version>? ORDER BY version LIMIT ?", (SCOPE, m['cursor'], m['limit'] + 1)).fetchall()
        more = len(rows) > m['limit']; rows = rows[:m['limit']]
        to = rows[-1][2] if more else max(s['head'], m['cursor'])
        return dict(base, **{'from': m['cursor'], 'to': to, 'more': more, 'through': (last, lastid, chain), 'hlc': s['hlc'], 'floor': s['floor'],
                    'changes': [dict(table=r[0], id=r[1], version=r[2], deleted=r[3], hlc=r[4], fields=json.loads(r[5])) for r in rows]})

    def gc(self, floor):
        self.x("DELETE FROM sync_record WHERE scope_id=? AND deleted=1 AND version<=?", (SCOPE, floor))
        self.x("DELETE FROM sync_operation WHERE scope_id=? AND processed_at<=?", (SCOPE, floor))
        self.x("UPDATE sync_scope SET gc_floor=MAX(gc_floor,?) WHERE scope_id=?", (floor, SCOPE))

# ---------------------------------------------------------------- simulation
class Sim:
    def __init__(self, seed, steps=160, profile=None):
        self.seed = seed; self.r = random.Random(seed); self.now = 1_700_000_000_000; self.n = 0
        self.stat = collections.Counter(); self.net = []; self.tick = 0; self.log = []
        r = self.r
        self.policy = r.choice(['lww_field', 'lww_field', 'lww_record', 'server_wins', 'client_wins', 'ask'])
        self.prof = profile or r.choice(['mild', 'harsh', 'hot', 'hot', 'clone', 'gc', 'gcclone', 'timeline', 'all'])
        self.server = Server(self, self.policy)
        self.clients = [Client(self, i, r.choice([1, 2])) for i in range(r.randint(2, 5))]
        for c in self.clients: c.skew = r.choice([0, 0, r.randint(-3_600_000, 3_600_000)]) if self.prof != 'mild' else 0
        self.drop = 0.0 if self.prof == 'mild' else r.choice([0.05, 0.3])
        self.dup = 0.0 if self.prof == 'mild' else 0.2
        self.nodes = []           # oracle: every field write / delete a user made
        self.known = []; self.backups = []; self.dead_clients = []
        self.deleted_ever = set(); self.timeline_lost = False; self.bits = []; self.rollback_any = False
        self.steps = steps
        self.head_seen = 0

    def uuid(self, p): self.n += 1; return f'{p}{self.n:05d}{self.r.getrandbits(24):06x}'
    def val(self): self.n += 1; return f'v{self.n}'
    def bit(self, rid):
        if len(self.bits) >= 60: return 0
        self.bits.append(rid); return 1 << (len(self.bits) - 1)

    def send(self, dst, m):
        if self.r.random() < self.drop: self.stat['drop'] += 1; return
        for _ in range(2 if self.r.random() < self.dup else 1):
            d = 0 if self.prof == 'mild' else self.r.choice([0, 1, 2, 5, 15, 40])
            self.net.append((self.tick + d, self.r.random(), dst, json.dumps(m)))

    def deliver(self):
        self.net.sort(); due = [x for x in self.net if x[0] <= self.tick]; self.net = [x for x in self.net if x[0] > self.tick]
        for _, _, dst, raw in due:
            m = json.loads(raw)
            if dst == 'S':
                res = self.server.handle(m)
                if res is not None: self.send(m['c'], res)
            elif dst < len(self.clients):
                c = self.clients[dst]
                (c.on_push_result if m['t'] == 'push_result' else c.on_page)(m)
        # monotone server head per timeline
        h = self.server.head()
        if not self.timeline_lost and h < self.head_seen: raise Violation('head went back')
        self.head_seen = h

    # ---- user actions with oracle bookkeeping
    def do_edit(self, c):
        r = self.r; ids = c.ids(); k = r.random(); made = []
        def run(fn, nodes):
            if c.edit(fn):
                for nd in nodes: nd['c'] = c.idx; nd['db'] = id(c.db); self.nodes.append(nd); made.append(nd)
        if not ids or (k < 0.25 and not (self.prof == 'hot' and len(self.known) >= 3)):
            rid = self.uuid('x'); self.known.append(rid)
            vals = {f: self.val() for f in c.cols}; n = self.bit(rid)
            run(lambda: c.x(f"INSERT INTO item(id,{','.join(c.cols)},n) VALUES(?{',?' * len(c.cols)},?)", [rid] + list(vals.values()) + [n]),
                [dict(rid=rid, f=f, v=v, prev=None) for f, v in vals.items()])
        elif k < 0.30 and self.known and self.policy in ('lww_field', 'lww_record', 'client_wins'):
            rid = r.choice(self.known)                      # undo of a delete: same identifier comes back
            if c.visible(rid) is None and rid in self.deleted_ever:
                vals = {f: self.val() for f in c.cols}; nb = self.bit(rid)
                run(lambda: c.x(f"INSERT INTO item(id,{','.join(c.cols)},n) VALUES(?{',?' * len(c.cols)},?)", [rid] + list(vals.values()) + [nb]),
                    [dict(rid=rid, f=f, v=v, prev=None, re=True) for f, v in vals.items()])
        elif k < (0.32 if self.prof == 'hot' else 0.45):
            rid = r.choice(ids); row = c.visible(rid); self.deleted_ever.add(rid); row.update(c.extras(rid))
            run(lambda: c.x('DELETE FROM item WHERE id=?', (rid,)), [dict(rid=rid, f=None, v=('D', self.val()), prev={f: v for f, v in row.items() if f != 'n'})])
            if made and c.db.execute("SELECT 1 FROM sync_record WHERE primary_key=?", (rid,)).fetchone() is None:
                for nd in self.nodes:
                    if nd['rid'] == rid and (nd['c'] == c.idx or self.prof in ('clone', 'all', 'gcclone')): nd['rolled'] = True   # never left this database file: insert and delete cancelled
        elif k < 0.53:                                      # batch update through plain SQL: one statement, many rows
            f = r.choice(c.cols); some = [i for i in ids if r.random() < 0.5]
            if some:
                rows = {i: c.visible(i)[f] for i in some}; v = {i: self.val() for i in some}
                def go():
                    c.x('CREATE TEMP TABLE IF NOT EXISTS t(id,v)'); c.x('DELETE FROM temp.t')
                    for i in some: c.x('INSERT INTO temp.t VALUES(?,?)', (i, v[i]))
                    c.x(f'UPDATE item SET {f}=(SELECT v FROM temp.t WHERE temp.t.id=item.id) WHERE id IN (SELECT id FROM temp.t)')
                run(go, [dict(rid=i, f=f, v=v[i], prev=rows[i]) for i in some])
        elif k < 0.60:
            rid = r.choice(ids); row = c.visible(rid); vals = {f: self.val() for f in c.cols}   # REPLACE
            run(lambda: c.x(f"INSERT INTO item(id,{','.join(c.cols)},n) VALUES(?{',?' * len(c.cols)},?) ON CONFLICT(id) DO UPDATE SET {','.join(f'{f}=excluded.{f}' for f in c.cols)}", [rid] + list(vals.values()) + [0]),
                [dict(rid=rid, f=f, v=v, prev=row[f]) for f, v in vals.items()])
        else:
            rid = r.choice(ids); row = c.visible(rid); fs = [f for f in c.cols if r.random() < 0.5] or [c.cols[0]]
            vals = {f: self.val() for f in fs}; inc = self.bit(rid) if r.random() < 0.5 else 0
            run(lambda: c.x(f"UPDATE item SET {','.join(f'{f}=?' for f in fs)}, n=n+? WHERE id=?", list(vals.values()) + [inc, rid]),
                [dict(rid=rid, f=f, v=v, prev=row[f]) for f, v in vals.items()])

    def step(self):
        r = self.r; self.tick += 1; self.now += r.choice([1, 10, 500, 5000])
        c = r.choice(self.clients)
        if self.prof != 'mild' and r.random() < 0.08: c.fuse = r.randint(1, 40)
        if self.prof != 'mild' and r.random() < 0.04: self.server.fuse = r.randint(1, 40)
        k = r.random()
        if k < 0.34: self.do_edit(c)
        elif k < 0.44: c.seal(r.randint(1, 6))
        elif k < 0.60:
            if c.scope()['epoch']:
                for p in c.packets(r.randint(1, 3)):
                    if r.random() < 0.7: self.send('S', p)
        elif k < 0.78: self.send('S', c.pull_request(r.choice([1, 2, 3, 10])))
        elif k < (0.90 if self.prof == 'gcclone' else 0.96): c.execute(r.choice([1, 2, 5, 50]))
        elif k < 0.97 and self.prof != 'gcclone': c.upgrade_schema()
        else: self.rare(c)
        c.fuse = None
        self.deliver()
        if not self.timeline_lost and not self.stat['gc'] and not self.stat['clone'] and not self.stat['restore']:
            for i in c.ids():
                n = c.visible(i)['n']; own = sum(1 << q for q, x in enumerate(self.bits) if x == i)
                if i not in self.deleted_ever and (n < 0 or n & ~own): raise Violation(f'increment shown twice on {i}: {n:b} allowed {own:b}')
        s = c.scope(); key = (id(c.db), s['epoch'], s['gen'])
        if s['ap'] < c.maxcur.get(key, 0): raise Violation('checkpoint went back')
        c.maxcur[key] = s['ap']

    def rare(self, c):
        r = self.r; p = self.prof
        if p in ('clone', 'all', 'gcclone') and r.random() < 0.5:
            if r.random() < 0.4: self.backups.append((c.idx, c.clone_db(), c.schema, c.cols, len(self.nodes)))
            elif self.backups and r.random() < 0.6:
                idx, db, schema, cols, mark = self.backups.pop(r.randrange(len(self.backups)))
                t = self.clients[idx]
                for nd in self.nodes[mark:]:
                    if nd['c'] == idx: nd['rolled'] = True
                t.db, t.schema, t.cols = db, schema, cols; t.maxcur = {}; self.stat['restore'] += 1
            elif len(self.clients) < 7:
                d = Client(self, len(self.clients), 1); d.db = c.clone_db(); d.schema, d.cols, d.skew = c.schema, c.cols, c.skew
                self.clients.append(d); self.stat['clone'] += 1
        elif p in ('gc', 'all', 'gcclone') and r.random() < 0.6:
            h = self.server.head()
            m = self.server.db.execute("SELECT MIN(applied_cursor) FROM sync_replica").fetchone()[0] or 0
            self.server.gc(r.choice([m, r.randint(0, h)])); self.stat['gc'] += 1
        elif p == 'timeline' and r.random() < 0.5:
            if not hasattr(self, 'sbk') or r.random() < 0.5:
                self.sbk = sqlite3.connect(':memory:', isolation_level=None); self.server.db.backup(self.sbk)
                self.sbk_eff = (self.server.effects.copy(), self.server.incs.copy())
            else:
                self.server.db = self.sbk; del self.sbk; self.server.effects, self.server.incs = self.sbk_eff
                self.server.held.clear(); self.timeline_lost = True; self.stat['timeline'] += 1
                self.server.db.execute("UPDATE sync_scope SET epoch=?", (self.uuid('E'),)); self.head_seen = 0

    def heal(self):
        self.drop = self.dup = 0.0; self.net = []
        self.server.fuse = None
        for c in self.clients: c.fuse = None
        self.prof2, self.prof = self.prof, 'mild'
        for rnd in range(80):
            for c in self.clients:
                c.execute(1000)
                if c.scope()['epoch']:
                    c.seal(1000)
                    for p in c.packets(5): self.send('S', p)
                self.tick += 1; self.deliver(); self.tick += 1; self.deliver()
                for _ in range(40):
                    self.send('S', c.pull_request(5)); self.tick += 1; self.deliver(); self.tick += 1; self.deliver()
                    c.execute(1000)
                    s = c.scope()
                    if s['epoch'] == self.server.sc()['epoch'] and s['dl'] >= self.server.head() and s['mode'] == 'incremental': break
            if all(self.idle(c) for c in self.clients): return rnd
        raise Violation('not quiescent: ' + str([(c.idx, c.db.execute("SELECT state,kind,primary_key,seq,server_version FROM sync_to_sync").fetchall(), c.scope()) for c in self.clients if not self.idle(c)]))

    def idle(self, c):
        s = c.scope()
        return s['ap'] >= self.server.head() and not c.db.execute("SELECT 1 FROM sync_to_sync").fetchone() and not c.db.execute("SELECT 1 FROM sync_to_execute").fetchone()

    def check(self):
        sv = {r[0]: json.loads(r[1]) for r in self.server.db.execute("SELECT data_id,fields FROM sync_record WHERE deleted=0")}
        for c in self.clients:
            cv = {i: c.visible(i) for i in c.ids()}
            want = {i: {**{k: f.get(k) for k in c.cols}, 'n': f.get('n', 0)} for i, f in sv.items()}
            if cv != want:
                d = [(i, cv.get(i), want.get(i)) for i in sorted(set(cv) | set(want)) if cv.get(i) != want.get(i)]
                raise Violation(f'divergence client {c.idx}: {d[:3]}')
            if c.db.execute("SELECT COUNT(*) FROM sync_shadow_item").fetchone()[0]: raise Violation('shadow left')
            if c.db.execute("SELECT COUNT(*) FROM sync_record WHERE isDirty OR isDeleted").fetchone()[0]: raise Violation('dirty left')
            nrec = c.db.execute("SELECT COUNT(*) FROM sync_record").fetchone()[0]
            if nrec != len(cv): raise Violation(f'bookkeeping leak {nrec} records for {len(cv)} rows')
            vers = dict(c.db.execute("SELECT primary_key,version FROM sync_record"))
            svers = dict(self.server.db.execute("SELECT data_id,version FROM sync_record WHERE deleted=0"))
            if vers != svers: raise Violation(f'digest mismatch client {c.idx}: {sorted(set(vers.items())^set(svers.items()))[:4]}')
        if (self.server.sc()['hlc'] >> 16) > self.now + MAX_DRIFT: raise Violation('a fast clock poisoned the server hlc')
        # exactly once
        for oid, k in self.server.effects.items():
            if k > 1 and not self.stat['gc']: raise Violation(f'operation {oid} took effect {k} times')
        for rid, f in sv.items():
            own = sum(1 << k for k, x in enumerate(self.bits) if x == rid)
            if (f.get('n', 0) < 0 or f.get('n', 0) & ~own) and not self.stat['gc']: raise Violation(f'increment applied twice on {rid}: {f.get("n"):b} allowed {own:b}')
            if f.get('n', 0) != self.server.incs[rid]: raise Violation(f'counter {rid} {f.get("n")} != {self.server.incs[rid]}')
        if not self.timeline_lost: self.check_lost(sv)

    def check_lost(self, sv):
        rec = set()
        for (vals,) in self.server.db.execute("SELECT loser_values FROM sync_conflict"): rec |= {x for x in json.loads(vals).values() if isinstance(x, str)}
        recdel = {r[0] for r in self.server.db.execute("SELECT data_id FROM sync_conflict WHERE kind IN ('open','delete_update')")}
        parked_ids = set()
        for c in self.clients:
            for rid, p in c.db.execute("SELECT identifier,payload FROM sync_conflict"):
                pp = json.loads(p) if p else {}
                rec |= set(v for v in pp.get('set', {}).values() if v); parked_ids.add(rid)
        child = collections.defaultdict(list)
        for nd in self.nodes:
            if nd['f'] is None:
                for f, v in nd['prev'].items(): child[(nd['rid'], f, v)].append(nd)
            elif nd['prev'] is not None: child[(nd['rid'], nd['f'], nd['prev'])].append(nd)
        reins = {nd['rid'] for nd in self.nodes if nd.get('re')}
        # program order: re-inserting a record supersedes whatever the same device wrote to it before, even if a remote delete hid it
        for k, nd in enumerate(self.nodes):
            if nd.get('re'):
                for e in self.nodes[:k]:
                    if e['rid'] == nd['rid'] and e['c'] == nd['c'] and e['f'] == nd['f']: child[(e['rid'], e['f'], e['v'])].append(nd)
        memo = {}
        def ok(nd):
            key = id(nd)
            if key in memo: return memo[key]
            memo[key] = False
            if nd['f'] is None:
                res = nd['rid'] not in sv or nd['rid'] in reins or nd['rid'] in recdel or nd['rid'] in parked_ids
            else:
                res = (nd['rid'] in sv and sv[nd['rid']].get(nd['f']) == nd['v']) or nd['v'] in rec or any(ok(x) for x in child[(nd['rid'], nd['f'], nd['v'])])
            memo[key] = res or bool(nd.get('rolled'))
            return memo[key]
        sys.setrecursionlimit(10000)
        for nd in self.nodes:
            if not ok(nd): raise Violation(f'lost update without conflict record: {nd}, server {sv.get(nd["rid"])}')
        # tombstone safety: a record someone deleted is alive only if re-inserted, or a conflict/loser record explains it
        for rid in self.deleted_ever:
            if rid in sv and rid not in reins and rid not in recdel and rid not in parked_ids:
                dels = [nd for nd in self.nodes if nd['rid'] == rid and nd['f'] is None and not nd.get('rolled')]
                if dels: raise Violation(f'resurrection of {rid}')

    def run(self):
        for _ in range(self.steps): self.step()
        rounds = self.heal(); self.stat['heal_rounds'] += rounds
        self.check()
        return self.stat

def main(a, b, steps):
    tot = collections.Counter(); bad = 0; t0 = time.time()
    for seed in range(a, b):
        s = Sim(seed, steps)
        try: tot += s.run()
        except Violation as e:
            bad += 1
            if bad <= 3: print('SEED', seed, s.policy, getattr(s, 'prof2', s.prof), 'VIOLATION', str(e)[:600], flush=True)
        except Exception as e:
            print('SEED', seed, s.policy, s.prof, 'EXC', repr(e)); raise
        tot['histories'] += 1; tot['edits'] += len(s.nodes)
    print(f'{a}-{b}: bad={bad} {time.time()-t0:.1f}s', dict(tot), flush=True)
    return bad

if __name__ == '__main__':
    a, b, steps = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 160
    sys.exit(1 if main(a, b, steps) else 0)
