import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that shows the disk usage of the stores at paths.
struct SizeCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "du",
    abstract: "Shows how many bytes the stores at paths and their parts use.",
    discussion: """
      The stores are listed before their groups of values, and the last line of a table has the \
      total of several stores. Values are in one group if their names begin with the same part; \
      the characters . / : and - end a part. A group of a database is a table. The size of a store \
      is that of all its files, also those without values, so the size of a folder can exceed the \
      bytes that ls shows. The size of a group is that of its values, and can exceed that of a \
      store that compresses them. A virtual table is counted, but has no group, because other \
      tables store its content. A table on a terminal shows the \(maximumGroups) largest groups, \
      unless --limit is passed. With --svg, the command writes a map of the sizes.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(
    parsing: .unconditional,
    help: "The number of parts of names by which values are grouped; 0 shows only stores.")
  var depth = 1
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  /// The number of groups that a table on a terminal shows without `--limit`.
  private static let maximumGroups = 25

  func validate() throws {
    try targets.validate()
    guard (0...16).contains(depth) else {
      throw ValidationError("--depth is \(depth). Pass a number from 0 to 16.")
    }
    try chart.requireNoFormat(in: output)
  }

  func run() throws {
    try Output.run(output.format) {
      let found = try targets.existingStores(of: selectedKinds)
      let column = TargetColumn(of: found)
      let progress = Progress("reading", stores: found.stores.count)
      defer { progress.end() }
      var groups: [SizeGroup] = []
      let (_, problems) = try found.gatherStores { store in
        progress.begin(store.name)
        groups += try SizeGroup.groups(of: store, depth: depth)
      }
      groups.sort { $0.precedes($1) }
      if chart.svg {
        try ChartFile.write(map(groups), to: chart.output)
        return problems
      }
      try show(groups, column)
      return problems
    }
  }

  private func show(_ groups: [SizeGroup], _ column: TargetColumn) throws {
    let isForPeople = output.format.isForPeople
    let stores = groups.filter { $0.name == nil }
    let isShortened = isForPeople && Terminal.isOutput && output.limit == nil
    let shown = isShortened ? groups.prefix(stores.count + Self.maximumGroups) : groups[...]
    let columns = [isForPeople ? "size" : "bytes", "count", "kind", "group"]
    var writer = ResultWriter(column.columns(columns), output)
    for group in shown {
      let label: ResultValue = isForPeople ? .text(group.label) : ResultValue(group.name)
      let values: [ResultValue] = [
        ByteText.value(group.byteCount, in: output.format), ResultValue(group.count),
        .text(group.kind), label,
      ]
      guard try writer.write(column.row(group.target, values)) else { break }
    }
    if [.auto, .table].contains(output.format), stores.count > 1 {
      let total = stores.reduce(0) { $0.addingReportingOverflow($1.byteCount).partialValue }
      let count = stores.reduce(0) { $0 + $1.count }
      try writer.append(
        column.row(
          nil, [.text(ByteText.readable(total)), ResultValue(count), .text("total"), .absent]))
    }
    try writer.end()
    if shown.count < groups.count {
      Output.note("\(groups.count - shown.count) smaller groups are not shown; pass --limit")
    }
  }

  private func map(_ groups: [SizeGroup]) -> String {
    let byKind = Dictionary(grouping: groups.filter { $0.name != nil || depth == 0 }) { group in
      group.target.map { "\($0): \(group.kind)" } ?? group.kind
    }
    return Treemap(
      title: "Sizes at \(targets.paths.joined(separator: ", "))", unit: .bytes,
      sections: byKind.sorted { $0.key < $1.key }.map { kind, groups in
        Treemap.Section(
          kind, parts: groups.map { ChartValue($0.name ?? kind, Double($0.byteCount)) })
      }
    ).svg
  }
}
