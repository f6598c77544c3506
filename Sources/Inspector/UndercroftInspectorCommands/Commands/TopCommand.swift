import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

/// A command that lists the largest values and tables of the stores at a path.
struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Lists the largest values and tables of the stores at a path.",
    discussion: "With --svg, the command writes a bar chart.")

  @OptionGroup var target: Target
  @Option(help: .kind, completion: .kinds) var kind: String?
  @Option(
    name: .customShort("n"), parsing: .unconditional, help: "The number of values and tables.")
  var count = 20
  @OptionGroup var chart: ChartArguments
  @OptionGroup var output: RowArguments

  func validate() throws {
    guard (1...100_000).contains(count) else {
      throw ValidationError("-n is \(count). Pass a number from 1 to 100000.")
    }
    try chart.requireNoFormat(in: output)
  }

  func run() throws {
    try Output.run(output.format) {
      var largest = LargestItems(limit: count)
      var total = 0
      let stores = try target.existingStores(of: kind)
      let progress = Progress("reading", stores: stores.count)
      defer { progress.end() }
      let problems = try SizedItem.forEach(in: stores, progress) { item in
        largest.add(item)
        total += item.byteCount
      }
      if chart.svg {
        try ChartFile.write(Self.chart(of: largest.sorted), to: chart.output)
        return problems
      }
      let isForPeople = output.format.isForPeople
      let rows = largest.sorted.map { item -> [ResultValue] in
        [
          .text(item.kind), .text(item.isTable ? "table" : "value"), .text(item.name),
          isForPeople
            ? .text(ByteText.readable(item.byteCount)) : ResultValue(item.byteCount),
          .text(ByteText.share(item.byteCount, of: total)),
        ]
      }
      try Output.rows(
        ["kind", "type", "name", isForPeople ? "size" : "bytes", "share"], rows, output)
      return problems
    }
  }

  private static func chart(of items: [SizedItem]) -> String {
    BarChart(
      title: "Largest values and tables", unit: .bytes,
      bars: items.map { ChartValue("\($0.kind): \($0.name)", Double($0.byteCount)) }
    ).svg
  }
}
