import Undercroft

extension MigrationStep {
  /// The step that moves all rows into the tables that
  /// are declared in Swift, 200 packages at a time.
  ///
  /// The triggers of these tables fill the full-text index.
  static let declaredPackages = MigrationStep("3") { db, progress in
    try db.executeScript(PackageSchema.declared)
    let total: Int = try db.fetchValue("SELECT count(*) FROM package")
    var done = 0
    var after: SQL = ""
    while true {
      let ids = try db.fetchAll("SELECT id FROM package \(after) ORDER BY id LIMIT 200") { row in
        try row[0] as String
      }
      guard let first = ids.first, let end = ids.last else { break }
      try db.execute(
        """
        INSERT INTO software
          (identity, name, version, architecture, section, installed_size, summary, digest)
        SELECT id, name, version, architecture, section, installed_size, summary, digest
        FROM package WHERE id BETWEEN \(first) AND \(end) ORDER BY id
        """)
      try db.execute(
        """
        INSERT INTO alternative (package, position, place, name, requirement)
        SELECT software.number, position, alternative, dependency.name, requirement
        FROM dependency JOIN software ON software.identity = dependency.package
        WHERE dependency.package BETWEEN \(first) AND \(end)
        """)
      done += ids.count
      after = "WHERE id > \(end)"
      try progress(done, of: total)
    }
    try db.executeScript(
      """
      INSERT INTO copied_changelog (name, size, modified) SELECT name, size, modified FROM changelog;
      INSERT INTO import_source (id, fingerprint, packages)
      SELECT id, fingerprint, packages FROM source;
      DROP TABLE package;
      DROP TABLE dependency;
      DROP TABLE changelog;
      DROP TABLE source;
      """)
  }
  .down(
    """
    \(PackageSchema.byName)
    \(PackageSchema.source)
    INSERT INTO package (id, name, version, architecture, section, installed_size, summary, digest)
    SELECT identity, name, version, architecture, section, installed_size, summary, digest
    FROM software;
    INSERT INTO dependency (package, position, alternative, name, requirement)
    SELECT software.identity, position, place, alternative.name, requirement
    FROM alternative JOIN software ON software.number = alternative.package;
    INSERT INTO changelog (name, size, modified) SELECT name, size, modified FROM copied_changelog;
    INSERT INTO source (id, fingerprint, packages)
    SELECT id, fingerprint, packages FROM import_source;
    DROP TABLE software_search;
    DROP TABLE alternative;
    DROP TABLE software;
    DROP TABLE copied_changelog;
    DROP TABLE import_source;
    """)
}
