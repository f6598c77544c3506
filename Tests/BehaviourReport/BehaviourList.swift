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
      guard fields.count == 2 else { throw ValidationError("\(path): no tab in \"\(line)\"") }
      guard sentences.updateValue(fields[1], forKey: fields[0]) == nil else {
        throw ValidationError("\(path): \(fields[0]) is listed twice")
      }
      ids.append(fields[0])
    }
  }
}
