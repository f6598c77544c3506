import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the numbers, types and sizes of the values of the stores at paths.
struct StatisticsCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "stat",
    abstract: "Shows the numbers, types and sizes of the values of the stores at paths.",
    discussion: """
      Entries are named values. For a database, the numbers of its tables and of all their rows \
      are shown, without those of views. If the rows of a table cannot be counted, there is no \
      number of rows. The median and the 99th percentile are upper ends of \
      ranges that begin with powers of two. The types are those of the first 1,000 values of each \
      store. With --svg, the command writes a histogram of the sizes of values.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments

  private static let columns = [
    "kind", "entries", "tables", "rows", "bytes", "smallest", "median", "p99", "largest", "types",
  ]
  private static let sampledValues = 1_000

  func validate() throws {
    try targets.validate()
    try chart.requireNoFormat(in: output)
  }

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: kind)
      let column = TargetColumn(of: found)
      let progress = Progress("reading", stores: found.stores.count)
      defer { progress.end() }
      var all = SizeStatistics()
      var damage: [Problem] = []
      let (rows, problems) = try found.gatherStores { store in
        progress.begin(store.name)
        return column.row(store.target, try row(of: store, &all, &damage, progress))
      }
      if chart.svg {
        try ChartFile.write(Self.histogram(of: all), to: chart.output)
      } else {
        try Output.rows(column.columns(Self.columns), rows, output)
      }
      return problems + damage
    }
  }

  private func row(
    of store: DiscoveredStore, _ all: inout SizeStatistics, _ damage: inout [Problem],
    _ progress: Progress
  ) throws -> [ResultValue] {
    let opened = try store.open()
    var (sizes, types) = (SizeStatistics(), [ExactString: Int]())
    guard !opened.report.isTabular else { return try Self.row(ofTables: opened, store, &damage) }
    progress.expect(opened.report.entryCount)
    try opened.forEachEntry { entry in
      progress.advance()
      var byteCount = entry.byteCount
      if sizes.count < Self.sampledValues || byteCount == nil, !opened.isConfidential,
        let bytes = try opened.bytes(of: entry.name)
      {
        byteCount = bytes.count
        types[ExactString(ValueType(bytes).rawValue), default: 0] += 1
      }
      sizes.add(byteCount ?? 0)
      all.add(byteCount ?? 0)
      return true
    }
    return [
      .text(store.name), ResultValue(sizes.count), .absent, .absent,
      ResultValue(sizes.total), ResultValue(sizes.smallest), ResultValue(sizes.percentile(0.5)),
      ResultValue(sizes.percentile(0.99)), ResultValue(sizes.count > 0 ? sizes.largest : nil),
      types.isEmpty ? .absent : .object(types.mapValues { .integer(Int64($0)) }),
    ]
  }

  /// Returns the numbers of tables and rows and the size of a store with tables.
  private static func row(
    ofTables opened: OpenedStore, _ store: DiscoveredStore, _ damage: inout [Problem]
  ) throws -> [ResultValue] {
    let tables = try opened.tables()?.filter { !$0.isView } ?? []
    damage += tables.filter(\.isDamaged).map { Problem(damagedTable: $0.name, of: store) }
    let counts = tables.compactMap(\.rowCount)
    return [
      .text(store.name), .absent, ResultValue(tables.count),
      ResultValue(counts.count == tables.count ? counts.reduce(0, +) : nil),
      ResultValue(opened.report.byteCount),
    ] + Array(repeating: .absent, count: columns.count - 5)
  }

  private static func histogram(of sizes: SizeStatistics) -> String {
    Histogram(
      title: "Numbers of values by size",
      bins: sizes.ranges.map { range in
        ChartValue("≤ \(ByteText.readable(range.upper))", Double(range.count))
      }
    ).svg
  }
}
