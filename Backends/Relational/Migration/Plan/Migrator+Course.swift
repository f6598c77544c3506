import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Returns the steps from where a file is to a version, the newest for `nil`.
  ///
  /// - Throws: as ``course(from:to:)``, and where slices of another step than the next one are kept: half of it would be taken for nothing.
  func course(
    from state: MigrationState, to target: String?
  ) throws(StorageError) -> [MigrationMove] {
    let moves = try course(from: state.entries, to: target)
    guard let begun = state.run?.slicedVersion else { return moves }
    if let next = moves.first, next.direction == .up, next.to == begun { return moves }
    throw .migration(
      "the step to \(quoted(begun)) is half done: slices of it are kept",
      cure: versions.contains(begun)
        ? "migrate to \(quoted(begun)) first, or restore the snapshot"
        : "use the program that has that step, or restore the snapshot", as: .unknownVersion)
  }

  /// Returns the steps from what the file records to a version, the newest for `nil`.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` where the record is not what these steps would have written.
  func course(
    from recorded: [MigrationRecord.Entry], to target: String?
  ) throws(StorageError) -> [MigrationMove] {
    let place = try place(of: target)
    var entries = recorded[...]
    if let base = steps.first, base.up == nil,
      let begin = recorded.firstIndex(where: { $0.version == base.version })
    {
      // The steps before it are retired.
      entries = recorded[begin...]
    }
    let known = steps.prefix(entries.count).count
    for (entry, step) in zip(entries, steps) where entry.version != step.version {
      throw mismatch(entry.version, at: step.version)
    }
    guard let last = entries.last else {
      throw .migration("the file records no version", as: .unknownVersion)
    }
    let newer = Array(entries.dropFirst(known))
    if newer.isEmpty {
      return place >= known
        ? ups(from: known - 1, to: place) : try downs(from: known - 1, to: place)
    }
    guard newerFiles == .goBack else {
      throw .migration(
        "the file is of the version \(quoted(last.version)), which is later than \(quoted(steps[known - 1].version)), the newest of this program",
        cure: "use the program that made it, or let it go back (Migrator.newerFiles)",
        as: .unknownVersion)
    }
    return try downs(newer, to: steps[known - 1].version) + downs(from: known - 1, to: place)
  }

  private func mismatch(_ found: String, at expected: String) -> StorageError {
    let reason =
      versions.contains(found)
      ? "the file has had \(quoted(found)) where the steps have \(quoted(expected)): their order is another one, or a step was put between them"
      : "the file is of the version \(quoted(found)), which is none of \(names(versions))"
    return .migration(
      reason, cure: "leave released steps as they were, and add new ones at the end",
      as: .unknownVersion)
  }

  private func ups(from place: Int, to target: Int) -> [MigrationMove] {
    guard place < target else { return [] }
    return (place + 1...target).compactMap { next in
      let step = steps[next]
      return step.up.map { work in
        MigrationMove(
          direction: .up, from: steps[next - 1].version, to: step.version, work: work,
          slices: step.slices, downScript: step.downScript?.text)
      }
    }
  }

  private func downs(
    from place: Int, to target: Int
  ) throws(StorageError) -> [MigrationMove] {
    guard place > target else { return [] }
    return try (target + 1...place).reversed().map { (next) throws(StorageError) in
      guard let work = steps[next].down else {
        throw .migration(
          "the version \(quoted(steps[next].version)) has no way back to \(quoted(steps[next - 1].version))",
          cure: "give its step one (MigrationStep.down), or restore a snapshot")
      }
      return MigrationMove(
        direction: .down, from: steps[next].version, to: steps[next - 1].version, work: work)
    }
  }

  /// The way back from versions that only the file knows.
  private func downs(
    _ entries: [MigrationRecord.Entry], to known: String
  ) throws(StorageError) -> [MigrationMove] {
    var moves: [MigrationMove] = []
    for (place, entry) in entries.enumerated().reversed() {
      guard let down = entry.down else {
        throw .migration(
          "the version \(quoted(entry.version)), which is later than this program, left no way back in the file",
          cure: "use the program that made it, or restore a snapshot", as: .unknownVersion)
      }
      moves.append(
        MigrationMove(
          direction: .down, from: entry.version,
          to: place > 0 ? entries[place - 1].version : known
        ) { db, _ in try db.executeScript(SQL(unchecked: down)) })
    }
    return moves
  }
}
