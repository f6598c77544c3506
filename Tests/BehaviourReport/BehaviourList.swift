import ArgumentParser
import Foundation

/// The behaviours that tests must prove, in the order of the list file.
struct BehaviourList {
  private(set) var ids: [String] = []
  private(set) var sentences: [String: String] = [:]

  init(contentsOf path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 1).map(String.init)
      guard fields.count == 2 else {
        throw ValidationError(
          """
          cannot read "\(path)": the line "\(line)" has no tab; write an id, a tab and a sentence
          """)
      }
      guard sentences.updateValue(fields[1], forKey: fields[0]) == nil else {
        throw ValidationError(
          "cannot read \"\(path)\": \(fields[0]) is listed twice; remove one of the lines")
      }
      ids.append(fields[0])
    }
  }
}
