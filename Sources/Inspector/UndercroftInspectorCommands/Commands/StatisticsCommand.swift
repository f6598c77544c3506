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
      number of rows. The sizes of named values are those of the values, also if the store \
      compresses them. The median and the 99th percentile of up to 1,000 values are exact. If a \
      store has more values, they are upper ends of ranges between powers of two, and are marked \
      with ≤; the types are then those of the first 1,000 values, and JSON has the member \
      sampledValues. With --svg, the command writes a histogram of the sizes of values.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  private static let columns = [
    "kind", "entries", "tables", "rows", "bytes", "smallest", "median", "p99", "largest", "types",
    "sampledValues",
  ]
  private static let shownColumns = [
    "kind", "entries", "rows", "size", "smallest", "median", "p99", "largest", "types",
  ]

  /// The facts about a store.
  private struct Row {
    let kind: String
    var entries: Int?
    var tables: Int?
    var rows: Int?
    var bytes: Int
    var sizes: SizeStatistics?
    /// The numbers of values by their type.
    var types: [ExactString: Int] = [:]

    /// The number of values whose types are known, or `nil` if it is that of all values.
    var sampleCount: Int? {
      let count = types.values.reduce(0, +)
      return types.isEmpty || count == entries ? nil : count
    }
  }

  /// The number of values of a store whose types are determined, which needs reading them.
  private static let sampledValues = 1_000

  func validate() throws {
    try targets.validate()
    try chart.requireNoFormat(in: output)
  }

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds)
      let column = TargetColumn(of: found)
      let progress = Progress("reading", stores: found.stores.count)
      defer { progress.end() }
      var all = SizeStatistics()
      var damage: [Problem] = []
      let (rows, problems) = try found.gatherStores { store in
        progress.begin(store.name)
        let row = try row(of: store, &all, &damage, progress)
        return column.row(
          store.target, output.format.isForPeople ? Self.shown(row) : Self.values(row))
      }
      if chart.svg {
        try ChartFile.write(Self.histogram(of: all), to: chart.output)
      } else {
        let columns = output.format.isForPeople ? Self.shownColumns : Self.columns
        try Output.rows(column.columns(columns), rows, output)
      }
      return problems + damage
    }
  }

  private func row(
    of store: DiscoveredStore, _ all: inout SizeStatistics, _ damage: inout [Problem],
    _ progress: Progress
  ) throws -> Row {
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
    return Row(
      kind: store.name, entries: sizes.count, bytes: sizes.total, sizes: sizes, types: types)
  }

  /// Returns the numbers of tables and rows and the size of a store with tables.
  private static func row(
    ofTables opened: OpenedStore, _ store: DiscoveredStore, _ damage: inout [Problem]
  ) throws -> Row {
    let tables = try opened.tables()?.filter { !$0.isView } ?? []
    damage += tables.filter(\.isDamaged).map { Problem(damagedTable: $0.name, of: store) }
    let counts = tables.compactMap(\.rowCount)
    return Row(
      kind: store.name, tables: tables.count,
      rows: counts.count == tables.count ? counts.reduce(0, +) : nil,
      bytes: opened.report.byteCount)
  }

  // MARK: Output

  private static func values(_ row: Row) -> [ResultValue] {
    let sizes = row.sizes
    return [
      .text(row.kind), ResultValue(row.entries), ResultValue(row.tables), ResultValue(row.rows),
      ResultValue(row.bytes), ResultValue(sizes?.smallest),
      ResultValue(sizes?.percentile(0.5)?.byteCount),
      ResultValue(sizes?.percentile(0.99)?.byteCount), ResultValue(largest(sizes)), types(row),
      ResultValue(row.sampleCount),
    ]
  }

  private static func shown(_ row: Row) -> [ResultValue] {
    let sizes = row.sizes
    let entries = row.tables.map { ResultValue.text(EnglishText.counted($0, "table")) }
    let types = types(row)
    return [
      .text(row.kind), entries ?? ResultValue(row.entries), ResultValue(row.rows), size(row.bytes),
      size(sizes?.smallest), size(sizes?.percentile(0.5)), size(sizes?.percentile(0.99)),
      size(largest(sizes)),
      row.sampleCount.map { ResultValue.text("\(types.brief) (of the first \($0) values)") }
        ?? types,
    ]
  }

  private static func types(_ row: Row) -> ResultValue {
    row.types.isEmpty ? .absent : .object(row.types.mapValues { .integer(Int64($0)) })
  }

  private static func largest(_ sizes: SizeStatistics?) -> Int? {
    sizes.flatMap { $0.count > 0 ? $0.largest : nil }
  }

  private static func size(_ byteCount: Int?) -> ResultValue {
    ResultValue(byteCount.map(ByteText.readable))
  }

  private static func size(_ percentile: SizeStatistics.Percentile?) -> ResultValue {
    ResultValue(
      percentile.map { ($0.isUpperEnd ? "≤ " : "") + ByteText.readable($0.byteCount) })
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
