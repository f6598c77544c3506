import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation
import UndercroftInspection

/// Functions that derive the report and the list of entries
/// of an inspector from the values of a store, keyed by name.
extension [ExactString: Data] {
  func report(
    _ format: any SnapshotFormat, _ files: StoreFiles, _ damage: StoreDamage?
  ) -> InspectionReport {
    var report = InspectionReport(
      format: "\(format.name) snapshot 1 with journal 1", entryCount: count,
      byteCount: files.byteCount, isConfidential: false,
      facts: [
        .init("snapshot", "\(files.snapshotByteCount) bytes"),
        .init("journal", "\(files.journalByteCount) bytes"),
      ] + DamagedFile.facts(damage, of: files.journal))
    report.isReadAsWhole = true
    report.damage = damage
    return report
  }

  func list(_ prefix: String) -> [InspectionEntry] {
    var entries: [InspectionEntry] = []
    for (name, bytes) in self where name.begins(with: prefix) {
      entries.append(InspectionEntry(name: name.text, byteCount: bytes.count))
    }
    return entries.sorted(byBytesOf: \.name)
  }

  /// Returns the names and sizes of the values whose names begin with `prefix`.
  func entryBuffer(_ prefix: String) -> EntryBuffer {
    var entries = EntryBuffer(capacity: count)
    for (name, bytes) in self where name.begins(with: prefix) {
      entries.append(name.text, byteCount: bytes.count)
    }
    return entries
  }

  /// Returns the values whose names begin with `prefix`, sorted by name.
  func sorted(withPrefix prefix: String) -> [(name: String, bytes: Data)] {
    var values: [(name: String, bytes: Data)] = []
    for (name, bytes) in self where name.begins(with: prefix) {
      values.append((name: name.text, bytes: bytes))
    }
    return values.sorted(byBytesOf: { $0.name })
  }
}
