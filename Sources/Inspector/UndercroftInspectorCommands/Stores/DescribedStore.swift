import UndercroftCore
import UndercroftInspection

/// A store with the report that the command `info` shows.
struct DescribedStore {
  let store: DiscoveredStore
  /// The report on the store, or what the header of a damaged file states.
  let report: InspectionReport
  let isConfidential: Bool
  /// The error of opening a store of which only the header is readable, or `nil` if it was opened.
  let openingError: StorageError?
  /// The word for the missing key without which the entries are not counted, or `nil` if no key is
  /// missing.
  let lockWord: String?

  /// Opens a store and reads its report.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - isSnapshot: whether `store` is read as a private copy of its files.
  /// - Throws: any error of reading the store, unless the header of a damaged file is readable.
  init(_ store: DiscoveredStore, isSnapshot: Bool) throws(StorageError) {
    self.store = store
    do throws(StorageError) {
      let opened = try store.open()
      let report =
        try isSnapshot
        ? InspectionReport.ofOriginal(store, copiedAs: opened) : opened.completeReport()
      let lockWord = report.entryCount == nil ? try opened.lockError()?.lockWord : nil
      (self.report, isConfidential, openingError) = (report, opened.isConfidential, nil)
      self.lockWord = lockWord
    } catch {
      guard error.code == .corrupted, let report = store.headerReport else { throw error }
      (self.report, isConfidential, openingError) = (report, store.isConfidential, error)
      lockWord = nil
    }
  }

  /// The damage of the store: that of its tables, the error of opening it, and lost values.
  var problems: [Problem] {
    var problems = report.damagedTables.map { Problem(damagedTable: $0, of: store) }
    if let openingError { problems.append(Problem(store: store, error: openingError)) }
    if let lost = report.damage { problems.append(Problem(damage: lost, of: store)) }
    return problems
  }
}
