import Foundation

/// A change of a file that simulates damage, or an attempt to mislead a reader.
enum FileDamage: CustomStringConvertible {
  case replaced(String, offset: Int, with: Data)
  case truncated(String, count: Int)
  case inserted(String, offset: Int, Data)
  case removed(String)
  case copied(String, offset: Int, from: Int, count: Int)

  /// The numbers that readers of sizes and offsets confuse most often.
  private static let numbers: [UInt64] = [
    0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
    0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0xffff_ffff_ffff_ffff,
  ]

  static func generate(_ choices: Choices, _ files: [String: Data]) -> FileDamage {
    let name = choices.pick(files.keys.sorted())
    let size = files[name]?.count ?? 0
    // The beginning of a file contains its structure.
    let range = choices.oneIn(2) ? min(size, 128) : size
    let offset = choices.below(range)
    switch choices.below(7) {
    case 0:
      let byte = files[name].flatMap { $0.dropFirst(offset).first } ?? 0
      return .replaced(name, offset: offset, with: Data([byte ^ UInt8(1 << choices.below(8))]))
    case 1:
      return .replaced(name, offset: offset, with: Data([choices.pick([0, 0xff, 0x7f, 0x80])]))
    case 2: return .replaced(name, offset: offset, with: number(choices, size))
    case 3: return .truncated(name, count: offset)
    case 4:
      let count = choices.pick([1, 7, 100, 5_000])
      return .inserted(
        name, offset: offset, Data(repeating: choices.pick([0, 0xff]), count: count))
    case 5:
      return .copied(
        name, offset: offset, from: choices.below(size), count: 1 + choices.below(512))
    default:
      return choices.oneIn(4) && files.count > 1
        ? .removed(name) : .truncated(name, count: size - min(size, 1))
    }
  }

  /// Returns a number that is unusual or near the size of the file, in either byte order.
  private static func number(_ choices: Choices, _ size: Int) -> Data {
    let near = UInt64(max(0, size + choices.number(-1...1)))
    let value = choices.oneIn(3) ? near : choices.pick(numbers)
    let count = choices.pick([4, 2, 8])
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return Data(choices.oneIn(2) ? bytes.reversed() : bytes)
  }

  func apply(to files: inout [String: Data]) {
    switch self {
    case .replaced(let name, let offset, let bytes):
      edit(&files, name) { content in
        let end = min(content.count, offset + bytes.count)
        guard offset < end else { return }
        content.replaceSubrange(offset..<end, with: bytes.prefix(end - offset))
      }
    case .truncated(let name, let count): edit(&files, name) { $0 = $0.prefix(count) }
    case .inserted(let name, let offset, let bytes):
      edit(&files, name) { $0.insert(contentsOf: bytes, at: min(offset, $0.count)) }
    case .removed(let name): files[name] = nil
    case .copied(let name, let offset, let from, let count):
      edit(&files, name) { content in
        let part = Data(content.dropFirst(from).prefix(count))
        let end = min(content.count, offset + part.count)
        guard offset < end else { return }
        content.replaceSubrange(offset..<end, with: part.prefix(end - offset))
      }
    }
  }

  private func edit(
    _ files: inout [String: Data], _ name: String, _ body: (inout Data) -> Void
  ) {
    guard var content = files[name] else { return }
    body(&content)
    files[name] = Data(content)
  }

  var description: String {
    switch self {
    case .replaced(let name, let offset, let bytes):
      "\(name): bytes at \(offset) replaced by \(bytes.map { String($0, radix: 16) })"
    case .truncated(let name, let count): "\(name): truncated to \(count) bytes"
    case .inserted(let name, let offset, let bytes):
      "\(name): \(bytes.count) bytes inserted at \(offset)"
    case .removed(let name): "\(name): removed"
    case .copied(let name, let offset, let from, let count):
      "\(name): \(count) bytes at \(offset) replaced by those at \(from)"
    }
  }
}
