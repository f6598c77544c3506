import Undercroft
import UndercroftCore
import UndercroftSQLite

/// The packages and their dependencies, as rows.
struct PackageRows {
  let database: Database

  init(_ storage: Storage) throws {
    database = try storage.database(for: .record)
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
    }
  }

  /// What an import did to the rows.
  struct Changes: Equatable {
    var packages = 0
    var added = 0
    var changed = 0
    var removed = 0
    var digest: UInt64 = 0

    var isNothing: Bool { added == 0 && changed == 0 && removed == 0 }
  }

  /// Makes the rows say what the input says, writing only what differs, all of it or nothing.
  func replace(by input: consuming ControlReader, _ progress: ImportProgress) throws -> Changes {
    var input = input
    return try database.write { db in
      var changes = Changes()
      var known: [String: Int64] = [:]
      try db.forEach("SELECT id, digest FROM package") { row in
        known[try row[0] as String] = try row[1] as Int64
      }
      var seen: Set<String> = []
      while let package = try input.next() {
        try progress.step("packages", changes.packages)
        changes.packages += 1
        changes.digest = changes.digest &* 31 &+ package.digest
        let id = Self.identity(of: package, among: &seen)
        let digest = Int64(bitPattern: package.digest)
        switch known.removeValue(forKey: id) {
        case digest: continue
        case nil: changes.added += 1
        default:
          changes.changed += 1
          try Self.delete(id, in: db)
        }
        try Self.insert(package, id, in: db)
      }
      // An empty list is no reason to forget everything.
      guard changes.packages > 0 else { throw input.empty }
      changes.removed = known.count
      for id in known.keys { try Self.delete(id, in: db) }
      return changes
    }
  }

  /// A list may name one package twice: each keeps a row of its own.
  private static func identity(of package: Package, among seen: inout Set<String>) -> String {
    let plain = "\(package.name):\(package.architecture):\(package.version)"
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
  ) throws(StorageError) {
    try db.execute(
      """
      INSERT INTO package(id, name, version, architecture, section, installed_size, summary, digest)
      VALUES (\(id), \(package.name), \(package.version), \(package.architecture), \(package.section),
        \(package.installedSize), \(package.summary), \(Int64(bitPattern: package.digest)))
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

  private static func delete(_ id: String, in db: borrowing Connection) throws(StorageError) {
    try db.execute("DELETE FROM dependency WHERE package = \(id)")
    try db.execute("DELETE FROM package WHERE id = \(id)")
  }

  func graph() throws -> DependencyGraph {
    var needs: [String: [String]] = [:]
    try database.read { db in
      try db.forEach(
        """
        SELECT DISTINCT package.name, dependency.name
        FROM dependency JOIN package ON package.id = dependency.package ORDER BY 1, 2
        """
      ) { row in needs[try row[0] as String, default: []].append(try row[1] as String) }
    }
    return DependencyGraph(needs)
  }

  func sectionCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    try database.read { db in
      try db.forEach("SELECT section, count(*) FROM package GROUP BY section") { row in
        counts[try row[0] as String] = Int(try row[1] as Int64)
      }
    }
    return counts
  }

  func counts() throws -> (packages: Int, dependencies: Int) {
    try database.read { db in
      let packages = try db.first("SELECT count(*) FROM package") { row in try row[0] as Int64 }
      let needs = try db.first("SELECT count(*) FROM dependency") { row in try row[0] as Int64 }
      return (Int(packages ?? 0), Int(needs ?? 0))
    }
  }
}
