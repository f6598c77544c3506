import DifferentialChecks
import Testing

@Suite struct ChoicesTests {
  @Test func `the same seed produces the same random choices`() {
    let (first, second) = (Choices(seed: 7), Choices(seed: 7))

    let numbers = (0..<100).map { _ in first.below(1000) }

    #expect(numbers == (0..<100).map { _ in second.below(1000) })
    #expect(Set(numbers).count > 50)
  }

  @Test func `Choices replays a recorded list of random choices and then returns zeros`() {
    let choices = Choices(tape: [3, 12])

    #expect([choices.below(10), choices.below(10), choices.below(10)] == [3, 2, 0])
    #expect(choices.tape == [3, 2, 0])
  }

  @Test func `the random generator produces the sequence of SplitMix64`() {
    // The first numbers of the reference implementation for the seed 1234567.
    let choices = Choices(seed: 1_234_567)

    #expect(
      [choices.bits(), choices.bits(), choices.bits()] == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
