import UndercroftCore
import UndercroftInspection

/// A rule that recognises tables whose rows contain large blobs.
struct LargeBlobRule: AdviceRule {
  static let names = ["large-blobs"]
  /// The average size in bytes from which blobs are better stored in files.
  private static let limit = 100_000
  /// The number of rows of each table that are examined.
  private static let examinedRows = 200

  func advice(about store: AdvisedStore) throws -> [Advice] {
    guard store.hasTables else { return [] }
    var found: [Advice] = []
    try store.forEachTable { table in
      for (column, average) in try averages(of: table, in: store) where average >= Self.limit {
        found.append(
          Advice(
            rule: "large-blobs", store: store.name, table: table.name,
            subject: "\(table.name).\(column)",
            reason: """
              the blobs have \(ByteText.readable(average)) on average, and SQLite reads them page \
              by page
              """,
            fix: """
              report the size to the developer; in the program: \
              try storage.use(.files(in: home.appending(path: "blobs")), for: .blob, as: .bytes), \
              and store the name of the value in the row
              """))
      }
    }
    return found
  }

  /// Returns the average sizes of the blobs of each column among the first rows.
  private func averages(
    of table: InspectedTable, in store: AdvisedStore
  ) throws -> [(String, Int)] {
    var columns: [String] = []
    var totals: [ExactString: (count: Int, bytes: Int)] = [:]
    var count = 0
    try store.opened.forEachRow(of: table.name, columns: { columns = $0 }) { row in
      count += 1
      for (column, value) in zip(columns.map { ExactString($0) }, row) {
        guard case .bytes(let bytes) = value else { continue }
        let total = totals[column] ?? (0, 0)
        totals[column] = (total.count + 1, total.bytes + bytes.count)
      }
      return count < Self.examinedRows
    }
    return totals.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value.bytes / $0.value.count) }
  }
}
