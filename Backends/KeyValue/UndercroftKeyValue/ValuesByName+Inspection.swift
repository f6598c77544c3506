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
    return report
  }

  func list(_ prefix: String) -> [InspectionEntry] {
    keys.names(withPrefix: prefix).map {
      InspectionEntry(name: $0, byteCount: self[$0.exact]?.count)
    }
  }
}
