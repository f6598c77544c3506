import UndercroftCore
import UndercroftSQLite

extension Migrator {
  /// Returns the steps from the state of a file to a version, or to the newest version for `nil`.
  ///
  /// - Throws: the errors of ``path(from:to:)``, and ``StorageError/Code/unknownVersion`` if slices
  ///   of a step are committed, and that step is not the next one. Ignoring these slices would
  ///   leave a part of that step in the file.
  func path(
    from state: MigrationState, to target: String?
  ) throws(StorageError) -> [MigrationPlan.Transition] {
    let transitions = try path(from: state.entries, to: target)
    guard let begun = state.unfinished?.slicedVersion else { return transitions }
    if let next = transitions.first, next.direction == .up, next.to == begun { return transitions }
    let first = (try? path(from: state.entries, to: begun))?.first
    // The content of the file is untrusted. A longer name cannot be the name of a snapshot.
    let snapshot = state.unfinished?.snapshot.flatMap { $0.utf8.count <= 255 ? $0 : nil }
    let restoring = snapshot.map { ", or restore the snapshot \(quoted($0))" } ?? ""
    throw .migration(
      "an earlier migration committed only a part of the step to \(quoted(begun))",
      suggestion: first?.direction == .up && first?.to == begun
        ? "migrate to \(quoted(begun)) first\(restoring)"
        : """
        use a program whose migrator has the step to \(quoted(begun)) directly after the version \
        \(quoted(state.entries.last?.version ?? ""))\(restoring)
        """,
      as: .unknownVersion)
  }

  /// Returns the steps from the recorded versions of a file to a version,
  /// or to the newest version for `nil`.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if there is no version `target`, or if a step that must
  ///   be reverted is not reversible; ``StorageError/Code/unknownVersion`` if the recorded versions
  ///   do not match the steps, or if the file has a version later than all steps and cannot be
  ///   migrated back (``newerVersionPolicy``).
  func path(
    from recorded: [MigrationHistory.Entry], to target: String?
  ) throws(StorageError) -> [MigrationPlan.Transition] {
    let index = try index(of: target)
    var entries = recorded[...]
    if let base = steps.first, base.up == nil,
      let begin = recorded.firstIndex(where: { $0.version == base.version })
    {
      // The steps before the base are retired.
      entries = recorded[begin...]
    }
    let match = try match(entries)
    guard let last = entries.last else {
      throw .migration(
        "the migration history of the file contains no version",
        suggestion: MigrationHistory.suggestion, as: .unknownVersion)
    }
    let inserted = match.missing.map { transition(to: $0, isInserted: true) }
    if match.newer.isEmpty {
      let rest =
        index >= match.index
        ? ups(from: match.index, to: index) : try downs(from: match.index, to: index)
      return inserted + rest
    }
    let newest = steps[match.index].version
    let reverting = try downs(match.newer, to: newest)
    guard newerVersionPolicy == .downgrade else {
      throw .migration(
        """
        the file has the version \(quoted(last.version)), which is later than \(quoted(newest)), \
        the newest version of this migrator
        """,
        suggestion: """
          use a program whose migrator has the version \(quoted(last.version)); or, to revert the \
          later steps with the scripts that the file stores, set Migrator.newerVersionPolicy to \
          .downgrade
          """,
        as: .unknownVersion)
    }
    return reverting + (try downs(from: match.index, to: index))
  }

  /// The comparison of the recorded versions of a file with the steps.
  private struct Match {
    /// The index of the last step that has been applied to the file, or -1 if there is none.
    var index = -1
    /// The indices of the steps before ``index`` that have not been applied to the file.
    var missing: [Int] = []
    /// The recorded versions that the steps do not contain, all of which come after the known
    /// versions.
    var newer: [MigrationHistory.Entry] = []
  }

  /// Compares the recorded versions with the steps, in order.
  ///
  /// - Throws: ``StorageError/Code/unknownVersion`` if the order differs, if an unknown version is
  ///   between known versions, or if a step is missing and ``insertedSteps`` is `.reject`.
  private func match(_ entries: ArraySlice<MigrationHistory.Entry>) throws(StorageError) -> Match {
    var match = Match()
    for (number, entry) in entries.enumerated() {
      let next = match.index + 1
      if next == steps.count {
        match.newer = Array(entries.dropFirst(number))
        return match
      }
      guard let index = steps[next...].firstIndex(where: { $0.version == entry.version }),
        index == next || (insertedSteps == .run && next > 0)
      else { throw mismatch(entry.version, at: steps[next].version) }
      match.missing += next..<index
      match.index = index
    }
    return match
  }

  private func mismatch(_ version: String, at expected: String) -> StorageError {
    let isKnown = versions.contains(version)
    return .migration(
      isKnown
        ? """
        the migration history has \(quoted(version)) where the steps have \(quoted(expected)): \
        the order of the steps differs, or a step was inserted before \(quoted(version))
        """
        : "the file has the version \(quoted(version)), which is none of \(names(versions))",
      suggestion: isKnown
        ? """
        add new steps at the end and do not change released steps, or set Migrator.insertedSteps \
        to .run
        """
        : "add new steps at the end, and do not change released steps",
      as: .unknownVersion)
  }

  /// Returns the index of the first recorded version that comes after `version` among the steps, or
  /// `nil` if there is none.
  func index(after version: String, in entries: [MigrationHistory.Entry]) -> Int? {
    guard let index = versions.firstIndex(of: version) else { return nil }
    let later = Set(versions[(index + 1)...])
    return entries.firstIndex { later.contains($0.version) }
  }

  private func ups(from index: Int, to target: Int) -> [MigrationPlan.Transition] {
    guard index < target else { return [] }
    return (index + 1...target).map { transition(to: $0) }
  }

  /// Returns the transition that runs the step at `index`.
  ///
  /// Only the first step can lack a closure (``MigrationStep/base(_:)``), and no transition leads
  /// to the first step. So the empty closure that replaces a missing closure never runs.
  ///
  /// - Parameter isInserted: Whether later steps have already been applied to the file.
  private func transition(to index: Int, isInserted: Bool = false) -> MigrationPlan.Transition {
    let step = steps[index]
    return MigrationPlan.Transition(
      direction: .up, from: steps[max(0, index - 1)].version, to: step.version,
      isInserted: isInserted, work: step.up ?? { _, _ in }, slice: step.slice,
      downScript: step.downScript?.text)
  }

  private func downs(
    from index: Int, to target: Int
  ) throws(StorageError) -> [MigrationPlan.Transition] {
    guard index > target else { return [] }
    return try (target + 1...index).reversed().map { (next) throws(StorageError) in
      guard let work = steps[next].down else {
        throw .migration(
          """
          the migrator declares no down step from the version \(quoted(steps[next].version)) back \
          to the version \(quoted(steps[next - 1].version))
          """,
          suggestion: """
            call down(_:) on the MigrationStep to \(quoted(steps[next].version)), or restore a \
            snapshot of an earlier version of the file
            """)
      }
      return MigrationPlan.Transition(
        direction: .down, from: steps[next].version, to: steps[next - 1].version, work: work)
    }
  }

  /// Returns the transitions that revert the versions in `entries` by the scripts that the file
  /// stores.
  ///
  /// All these versions are later than the newest version of the steps.
  ///
  /// - Parameter newest: The newest version of the steps, to which the last transition leads.
  /// - Throws: ``StorageError/Code/unknownVersion`` if the file does not store a script for each of
  ///   the versions.
  private func downs(
    _ entries: [MigrationHistory.Entry], to newest: String
  ) throws(StorageError) -> [MigrationPlan.Transition] {
    var transitions: [MigrationPlan.Transition] = []
    for (index, entry) in entries.enumerated().reversed() {
      guard let down = entry.down else {
        throw .migration(
          """
          the file has the version \(quoted(entries[entries.count - 1].version)), which is later \
          than \(quoted(newest)), the newest version of this migrator, and the file stores no \
          script that reverts the step to \(quoted(entry.version))
          """,
          suggestion: """
            use a program whose migrator has the version \
            \(quoted(entries[entries.count - 1].version)), or restore a snapshot of an earlier \
            version of the file; to migrate the file back, add the later steps with their down \
            steps to the migrator, and call migrate(database, to: \(quoted(newest)))
            """,
          as: .unknownVersion)
      }
      transitions.append(
        MigrationPlan.Transition(
          direction: .down, from: entry.version, to: index > 0 ? entries[index - 1].version : newest
        ) { db, _ in try db.executeStep(SQL(unchecked: down)) })
    }
    return transitions
  }
}
