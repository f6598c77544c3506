import UndercroftCore
import UndercroftInspection

extension InspectionReport {
  /// Returns the complete report about a store that is open as a private copy, with the size and
  /// the facts of the files of the original.
  ///
  /// A copy of a database is one file without a log, whose size and journal mode differ from those
  /// of the original. The other files are copied unchanged. If another process changes the original
  /// during each attempt to read it, the facts about its files are left out.
  static func ofOriginal(
    _ store: DiscoveredStore, copiedAs copy: OpenedStore
  ) throws(StorageError) -> InspectionReport {
    var report = try copy.completeReport()
    guard store.copying.copy != nil else { return report }
    // The brief report contains the facts that are known without reading the content.
    let fileFacts = Set(copy.report.facts.map { ExactString($0.name) })
    var original: [ExactString: Fact] = [:]
    do throws(StorageError) {
      let opened = try store.reading(by: .direct).open()
      report.byteCount = opened.report.byteCount
      for fact in opened.report.facts { original[ExactString(fact.name)] = fact }
    } catch {
      guard error.code == .busy else { throw error }
      report.byteCount = StoreFile.byteCount(of: store) ?? report.byteCount
    }
    report.facts = report.facts.compactMap { fact in
      fileFacts.contains(ExactString(fact.name)) ? original[ExactString(fact.name)] : fact
    }
    return report
  }
}
