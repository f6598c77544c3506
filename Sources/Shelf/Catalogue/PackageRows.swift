import Undercroft
import UndercroftCore
import UndercroftSQLite

/// The packages and their dependencies, as rows.
struct PackageRows {
  let database: Database

  init(_ storage: Storage) throws {
    database = try storage.database(for: .record)
    // Whoever only asks does not wait for a running import to let go of the tables.
    if try fingerprintTableExists() { return }
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS package(
          id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, architecture TEXT NOT NULL,
          section TEXT NOT NULL, installed_size INTEGER NOT NULL, summary TEXT NOT NULL,
          digest INTEGER NOT NULL) WITHOUT ROWID
        """)
      try db.execute("CREATE INDEX IF NOT EXISTS package_by_name ON package(name)")
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS dependency(
          package TEXT NOT NULL, position INTEGER NOT NULL, alternative INTEGER NOT NULL,
          name TEXT NOT NULL, requirement TEXT NOT NULL,
          PRIMARY KEY(package, position, alternative)) WITHOUT ROWID
        """)
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS changelog(
          name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL) WITHOUT ROWID
        """)
      // What the rows were made from: one row, changed in the same transaction as they.
      try db.execute(
        """
        CREATE TABLE IF NOT EXISTS source(
          id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint INTEGER NOT NULL, packages INTEGER NOT NULL)
        """)
    }
  }

  /// It is the last to be made.
  private func fingerprintTableExists() throws -> Bool {
    try database.read { db in
      try db.first("SELECT 1 FROM sqlite_schema WHERE name = 'source'") { _ in true } ?? false
    }
  }

  /// Makes the rows say what the input says, writing only what differs, all of it or nothing.
  func replace(
    by input: consuming ControlReader, _ progress: ImportProgress
  ) throws -> PackageChanges {
    var input = input
    let ahead = try input.fingerprintAhead()
    return try database.write { db in
      if let ahead, let count = try Self.packages(of: ahead, in: db) {
        return PackageChanges(packages: count)
      }
      var changes = PackageChanges()
      var known: [String: Int64] = [:]
      try db.forEach("SELECT id, digest FROM package") { row in
        known[try row[0] as String] = try row[1] as Int64
      }
      changes.isFirst = known.isEmpty
      var seen: Set<String> = []
      while let package = try input.next() {
        try progress.step("packages", changes.packages)
        changes.packages += 1
        let id = Self.identity(of: package, among: &seen)
        switch known.removeValue(forKey: id) {
        case package.digest: continue
        case nil: changes.add(package)
        default: changes.change(package, from: try Self.delete(id, in: db))
        }
        try Self.insert(package, id, in: db)
      }
      // An empty list is no reason to forget everything.
      guard changes.packages > 0 else { throw input.empty }
      for (done, id) in known.keys.enumerated() {
        try progress.step("removed packages", done)
        changes.remove(id, try Self.delete(id, in: db))
      }
      try db.execute(
        """
        INSERT OR REPLACE INTO source(id, fingerprint, packages)
        VALUES (1, \(input.fingerprint), \(changes.packages))
        """)
      return changes
    }
  }

  /// Returns how many packages an input has if the rows were made from it and are all there.
  private static func packages(of fingerprint: Int64, in db: borrowing Connection) throws -> Int? {
    try db.first(
      """
      SELECT packages FROM source
      WHERE fingerprint = \(fingerprint) AND packages = (SELECT count(*) FROM package)
      """
    ) { row in Int(try row[0] as Int64) }
  }

  /// A list may name one package several times, in several versions: each keeps a row of its own.
  private static func identity(of package: Package, among seen: inout Set<String>) -> String {
    let plain = "\(package.name):\(package.architecture)"
    var id = plain
    var number = 2
    while !seen.insert(id).inserted {
      id = "\(plain)#\(number)"
      number += 1
    }
    return id
  }

  private static func insert(
    _ package: Package, _ id: String, in db: borrowing Connection
  ) throws {
    try db.execute(
      """
      INSERT INTO package(id, name, version, architecture, section, installed_size, summary, digest)
      VALUES (\(id), \(package.name), \(package.version), \(package.architecture), \(package.section),
        \(package.installedSize), \(package.summary), \(package.digest))
      """)
    for (position, dependency) in package.dependencies.enumerated() {
      for (number, alternative) in dependency.alternatives.enumerated() {
        try db.execute(
          """
          INSERT INTO dependency(package, position, alternative, name, requirement)
          VALUES (\(id), \(position), \(number), \(alternative.name), \(alternative.requirement))
          """)
      }
    }
  }

  /// Returns the version that was there.
  private static func delete(_ id: String, in db: borrowing Connection) throws -> String {
    let version = try db.first("SELECT version FROM package WHERE id = \(id)") { row in
      try row[0] as String
    }
    try db.execute("DELETE FROM dependency WHERE package = \(id)")
    try db.execute("DELETE FROM package WHERE id = \(id)")
    return version ?? ""
  }
}
