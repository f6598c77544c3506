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
      Names of values are grouped by their parts, which the separators . / : and - end. The size \
      of a store is that of all its files, also those without values, so the size of a folder can \
      exceed the bytes that ls shows. A table on a terminal shows the \(maximumGroups) largest \
      groups, unless --limit is passed. With --svg, the command writes a map of the sizes.
      """)

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(
    parsing: .unconditional,
    help: "The number of parts of names by which values are grouped; 0 shows only stores.")
  var depth = 1
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments

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
      let found = try targets.existingStores(of: kind)
      let column = TargetColumn(of: found)
      let progress = Progress("reading", stores: found.stores.count)
      defer { progress.end() }
      var groups: [SizeGroup] = []
      let (_, problems) = try found.gatherStores { store in
        progress.begin(store.name)
        groups += try SizeGroup.groups(of: store, depth: depth)
      }
      groups.sort {
        ($1.byteCount, $0.kind, $0.name ?? "", $0.target ?? "")
          < ($0.byteCount, $1.kind, $1.name ?? "", $1.target ?? "")
      }
      if chart.svg {
        try ChartFile.write(map(groups), to: chart.output)
        return problems
      }
      let isForPeople = output.format.isForPeople
      let isShortened =
        isForPeople && Terminal.isOutput && output.limit == nil
        && groups.count > Self.maximumGroups
      let shown = isShortened ? groups.prefix(Self.maximumGroups) : groups[...]
      let rows = shown.map { group -> [ResultValue] in
        column.row(
          group.target,
          [
            isForPeople
              ? .text(ByteText.readable(group.byteCount)) : ResultValue(group.byteCount),
            ResultValue(group.count), .text(group.kind), ResultValue(group.name),
          ])
      }
      let columns = [isForPeople ? "size" : "bytes", "count", "kind", "group"]
      try Output.rows(column.columns(columns), rows, output)
      if isShortened {
        Output.note("\(groups.count - shown.count) smaller groups are not shown; pass --limit")
      }
      return problems
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
