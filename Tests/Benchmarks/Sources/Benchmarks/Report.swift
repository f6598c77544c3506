import Foundation

/// The printed lines: medians, ratios with their minimum and maximum over the runs, and goals.
enum Report {
  static let heading = row(
    "name", "ours", "raw", "to raw (spread)", "peer", "to peer (spread)", "goal")

  static func line(_ measurement: Measurement) -> String {
    row(
      measurement.name, time(measurement.ours.median, measurement.unit),
      measurement.raw.map { time($0.median, measurement.unit) } ?? "-",
      ratio(measurement, to: measurement.raw),
      measurement.peer.map { time($0.median, measurement.unit) } ?? "-",
      ratio(measurement, to: measurement.peer), goal(measurement))
  }

  private static func time(_ value: Double, _ unit: String) -> String {
    String(format: value < 10 ? "%.2f" : "%.0f", value) + " " + unit
  }

  private static func ratio(_ measurement: Measurement, to other: [Double]?) -> String {
    guard let other, let ratios = measurement.ratios(to: other),
      let least = ratios.min(), let most = ratios.max()
    else { return "-" }
    return String(
      format: "%.2f (%.2f-%.2f)", measurement.ours.median / other.median, least, most)
  }

  private static func goal(_ measurement: Measurement) -> String {
    guard let goal = measurement.goal, let meets = measurement.meetsGoal else { return "-" }
    return "\(goal.formatted()) \(meets ? "met" : "missed")"
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [31, 16, 16, 22, 13, 22, 10]).map { cell, width in
      cell.padding(toLength: max(width, cell.count + 1), withPad: " ", startingAt: 0)
    }.joined()
  }
}
