import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the largest values and tables of the stores at paths.
struct TopCommand: TargetsCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Lists the largest values and tables of the stores at paths.",
    discussion: "With --svg, the command writes a bar chart.")

  @Argument(help: .paths, completion: .file())
  var paths: [String]
  @Option(name: .customLong("kind"), help: .kinds, completion: .kinds)
  var selectedKinds: [String] = []
  @Option(
    name: .customShort("n"), parsing: .unconditional, help: "The number of values and tables.")
  var count = 20
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments
  @OptionGroup var access: AccessArguments
  @OptionGroup var terminal: TerminalArguments

  func validate() throws {
    try targets.validate()
    guard (1...100_000).contains(count) else {
      throw ValidationError("-n is \(count). Pass a number from 1 to 100000.")
    }
    try chart.requireNoFormat(in: output)
  }

  func run() throws {
    try Output.run(output.format) {
      var largest = LargestItems(limit: count)
      var total = 0
      let found = try targets.existingStores(of: selectedKinds)
      let column = TargetColumn(of: found)
      let progress = Progress("reading", stores: found.stores.count)
      defer { progress.end() }
      let problems = try SizedItem.forEach(in: found, progress) { item in
        largest.add(item)
        total += item.byteCount
      }
      if chart.svg {
        try ChartFile.write(Self.chart(of: largest.sorted), to: chart.output)
        return problems
      }
      let isForPeople = output.format.isForPeople
      let rows = largest.sorted.map { item -> [ResultValue] in
        column.row(
          item.target,
          [
            .text(item.kind), .text(item.isTable ? "table" : "value"), .text(item.name),
            ByteText.value(item.byteCount, in: output.format),
            .text(ByteText.share(item.byteCount, of: total)),
          ])
      }
      let columns = ["kind", "type", "name", isForPeople ? "size" : "bytes", "share"]
      try Output.rows(column.columns(columns), rows, output)
      return problems
    }
  }

  private static func chart(of items: [SizedItem]) -> String {
    BarChart(
      title: "Largest values and tables", unit: .bytes,
      bars: items.map { item in
        let place = [item.target, item.kind, item.name].compactMap(\.self)
        return ChartValue(place.joined(separator: ": "), Double(item.byteCount))
      }
    ).svg
  }
}
