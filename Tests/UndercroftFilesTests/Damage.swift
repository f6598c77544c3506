import Foundation

enum Damage {
  /// Returns one copy of the bytes truncated at each position, and one copy with each single bit
  /// flipped.
  static func everyCutAndFlip(of sound: Data) -> [Data] {
    var damaged = (0..<sound.count).map { Data(sound.prefix($0)) }
    for bit in 0..<sound.count * 8 {
      var bytes = sound
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      damaged.append(bytes)
    }
    return damaged
  }
}
