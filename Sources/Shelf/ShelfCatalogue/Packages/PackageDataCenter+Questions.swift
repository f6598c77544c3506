import Undercroft

extension PackageDataCenter {
  /// Returns the fingerprint of the input that the rows came from, or `nil` before the first
  /// import.
  func fingerprint() throws -> Int64? {
    try read { db in try Self.fingerprint(in: db) }
  }

  private static func fingerprint(in db: Connection) throws -> Int64? {
    try SourceRecord.select { $0.fingerprint }.fetchOne(in: db)
  }

  func graph(_ progress: ImportProgress) throws -> Derived<DependencyGraph> {
    var needs: [String: [String]] = [:]
    var count = 0
    return try read { db in
      let arrows = PackageRecord.join(AlternativeRecord.all) { $0.number == $1.package }
        .order { package, _ in package.name }.order { _, needed in needed.name }
        .select { package, needed in (package.name, needed.name) }.distinct()
      try arrows.forEach(in: db) { package, needed in
        try progress.step("dependencies", count)
        count += 1
        needs[package, default: []].append(needed)
      }
      return Derived(
        value: DependencyGraph(needs), fingerprint: try Self.fingerprint(in: db) ?? 0)
    }
  }

  func sectionCounts() throws -> Derived<[String: Int]> {
    try read { db in
      let counts = try PackageRecord.group { $0.section }.select { ($0.section, $0.rowCount) }
        .fetchAll(in: db)
      return Derived(
        value: Dictionary(counts) { _, last in last },
        fingerprint: try Self.fingerprint(in: db) ?? 0)
    }
  }

  func counts() throws -> (packages: Int, dependencies: Int) {
    try read { db in
      (try PackageRecord.fetchCount(in: db), try AlternativeRecord.fetchCount(in: db))
    }
  }

  /// Returns the packages whose name or summary contains
  /// every word of the text, the best matches first.
  ///
  /// The last word may be the beginning of a longer word. A package whose name is the text
  /// itself comes first. If the text is blank, the result is all packages, sorted by name.
  ///
  /// - Parameter limit: the maximum number of returned packages.
  func search(_ search: SavedSearch, limit: Int) throws -> SearchResult {
    let words = FullTextQuery(matchingAll: search.text, lastIsPrefix: true)
    var found =
      search.text.allSatisfy(\.isWhitespace)
      ? PackageRecord.order { $0.name }
      : PackageRecord.search(words, weights: [10, 1])
        .order { ($0.name == search.text).descending }.order { _ in SQLOrdering.rank }
    if let section = search.section { found = found.where { $0.section == section } }
    return try read { db in
      SearchResult(
        lines: try found.limit(limit).fetchAll(as: PackageLine.self, in: db),
        total: try found.fetchCount(in: db))
    }
  }

  /// Returns all packages with the given name.
  ///
  /// A package can have several versions or architectures.
  func packages(named name: String) throws -> [PackageCard] {
    try read { db in
      let dependents = try PackageRecord.join(AlternativeRecord.all) {
        $0.number == $1.package
      }
      .where { _, needed in needed.name == name }.order { package, _ in package.name }
      .select { package, _ in package.name }.distinct().fetchAll(in: db)
      let cards = try PackageRecord.where { $0.name == name }.order { $0.identity }
        .fetchAll(filling: { PackageCard(neededBy: dependents) }, in: db)
      return try cards.map { card in
        var card = card
        card.needs = try Self.needs(of: card.number, in: db)
        return card
      }
    }
  }

  /// Returns one string for each dependency, such as "awk | gawk (>= 5)".
  private static func needs(of package: Int64, in db: Connection) throws -> [String] {
    var needs: [String] = []
    let alternatives = AlternativeRecord.where { $0.package == package }
      .order { $0.position }.order { $0.index }
    try alternatives.forEach(in: db) { alternative in
      if alternative.index == 0 {
        needs.append(alternative.text)
      } else {
        needs.append((needs.popLast() ?? "") + " | " + alternative.text)
      }
    }
    return needs
  }
}
