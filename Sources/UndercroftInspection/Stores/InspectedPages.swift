/// The pages of a database file.
package struct InspectedPages: Sendable, Equatable {
  /// The size of each page in bytes.
  package let size: Int
  /// The number of pages of the database.
  package let count: Int
  /// The number of pages that contain no data.
  package let freeCount: Int

  /// Creates a description from its parts.
  package init(size: Int, count: Int, freeCount: Int) {
    (self.size, self.count, self.freeCount) = (size, count, freeCount)
  }

  /// The numbers as facts of a report.
  package var facts: [InspectionReport.Fact] {
    [
      InspectionReport.Fact("page size", "\(size)"), InspectionReport.Fact("pages", "\(count)"),
      InspectionReport.Fact("free pages", "\(freeCount)"),
    ]
  }
}
