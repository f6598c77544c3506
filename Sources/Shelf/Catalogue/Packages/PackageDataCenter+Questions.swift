import Undercroft
import UndercroftCore
import UndercroftSQLite

extension PackageRows {
  /// Stands for the input that the rows were made from; `nil` before the first import.
  func fingerprint() throws -> Int64? {
    try database.read { db in try Self.fingerprint(in: db) }
  }

  private static func fingerprint(in db: borrowing Connection) throws -> Int64? {
    try db.first("SELECT fingerprint FROM source") { row in try row[0] as Int64 }
  }

  func graph(_ progress: ImportProgress) throws -> Derived<DependencyGraph> {
    var needs: [String: [String]] = [:]
    var count = 0
    return try database.read { db in
      try db.forEach(
        """
        SELECT DISTINCT package.name, dependency.name
        FROM dependency JOIN package ON package.id = dependency.package ORDER BY 1, 2
        """
      ) { row in
        try progress.step("dependencies", count)
        count += 1
        needs[try row[0] as String, default: []].append(try row[1] as String)
      }
      return Derived(
        value: DependencyGraph(needs), fingerprint: try Self.fingerprint(in: db) ?? 0)
    }
  }

  func sectionCounts() throws -> Derived<[String: Int]> {
    var counts: [String: Int] = [:]
    return try database.read { db in
      try db.forEach("SELECT section, count(*) FROM package GROUP BY section") { row in
        counts[try row[0] as String] = Int(try row[1] as Int64)
      }
      return Derived(value: counts, fingerprint: try Self.fingerprint(in: db) ?? 0)
    }
  }

  func counts() throws -> (packages: Int, dependencies: Int) {
    try database.read { db in
      let packages = try db.first("SELECT count(*) FROM package") { row in try row[0] as Int64 }
      let needs = try db.first("SELECT count(*) FROM dependency") { row in try row[0] as Int64 }
      return (Int(packages ?? 0), Int(needs ?? 0))
    }
  }

  /// Returns packages whose name or summary holds the text, the likeliest first.
  func search(_ search: SavedSearch, limit: Int) throws -> SearchResult {
    var result = SearchResult(lines: [], total: 0)
    try database.read { db in
      try db.forEach(
        """
        SELECT name, version, summary, count(*) OVER () FROM package
        WHERE (instr(lower(name), lower(\(search.text))) OR instr(lower(summary), lower(\(search.text))))
          AND (\(search.section) IS NULL OR section = \(search.section))
        ORDER BY name <> \(search.text), instr(name, \(search.text)) = 0, name, version LIMIT \(limit)
        """
      ) { row in
        result.lines.append(
          PackageLine(name: try row[0], version: try row[1], summary: try row[2]))
        result.total = Int(try row[3] as Int64)
      }
    }
    return result
  }

  /// Returns all of this name: there may be several architectures or versions.
  func packages(named name: String) throws -> [PackageCard] {
    try database.read { db in
      let dependents = try db.query(
        """
        SELECT DISTINCT package.name FROM dependency JOIN package ON package.id = dependency.package
        WHERE dependency.name = \(name) ORDER BY 1
        """
      ) { row in try row[0] as String }
      let cards = try db.query(
        """
        SELECT id, name, version, architecture, section, installed_size, summary FROM package
        WHERE name = \(name) ORDER BY id
        """
      ) { row in
        (
          id: try row[0] as String,
          card: PackageCard(
            name: try row[1], version: try row[2], architecture: try row[3], section: try row[4],
            installedSize: try row[5], summary: try row[6], neededBy: dependents)
        )
      }
      return try cards.map { id, card in
        var card = card
        card.needs = try Self.needs(of: id, in: db)
        return card
      }
    }
  }

  /// Returns one text for each dependency, such as "awk | gawk (>= 5)".
  private static func needs(of id: String, in db: borrowing Connection) throws -> [String] {
    var needs: [String] = []
    try db.forEach(
      """
      SELECT alternative, name, requirement FROM dependency
      WHERE package = \(id) ORDER BY position, alternative
      """
    ) { row in
      let requirement = try row[2] as String
      let text = try row[1] as String + (requirement.isEmpty ? "" : " (\(requirement))")
      if try row[0] as Int64 == 0 {
        needs.append(text)
      } else {
        needs.append((needs.popLast() ?? "") + " | " + text)
      }
    }
    return needs
  }
}
