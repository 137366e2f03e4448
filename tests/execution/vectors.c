/* Instructions on vectors of integers: of each, what comes out becomes the exit status.
 * usage: vectors CASE N; 255: there is no such case */
#include <immintrin.h>
#include <stdlib.h>

/* Not vectorised itself. */
static __attribute__((noinline)) unsigned fold(__m128i vector)
{
    unsigned char bytes[16];
    unsigned sum = 0;
    _mm_storeu_si128((__m128i *)bytes, vector);
    for (volatile int i = 0; i < 16; i++)
        sum = sum * 31 + bytes[i];
    return (sum ^ sum >> 8 ^ sum >> 16) % 251;
}

#define CASE(result)                                                                                                   \
    if (number-- == 0)                                                                                                 \
        return fold(result);

static unsigned run(int number, __m128i a, __m128i b, int n)
{
    __m128i by = _mm_cvtsi32_si128(n % 40), ones = _mm_set1_epi32(n);
    CASE(_mm_add_epi8(a, b))
    CASE(_mm_add_epi16(a, b))
    CASE(_mm_add_epi32(a, b))
    CASE(_mm_add_epi64(a, b))
    CASE(_mm_sub_epi8(a, b))
    CASE(_mm_sub_epi16(a, b))
    CASE(_mm_sub_epi32(a, b))
    CASE(_mm_sub_epi64(a, b))
    CASE(_mm_cmpeq_epi8(a, _mm_add_epi8(a, _mm_cmpgt_epi8(b, a))))
    CASE(_mm_cmpeq_epi16(a, b))
    CASE(_mm_cmpeq_epi32(ones, _mm_set_epi32(n, 3, n, 5)))
    CASE(_mm_cmpgt_epi8(a, b))
    CASE(_mm_cmpgt_epi16(a, b))
    CASE(_mm_cmpgt_epi32(a, b))
    CASE(_mm_and_si128(a, b))
    CASE(_mm_or_si128(a, b))
    CASE(_mm_xor_si128(a, b))
    CASE(_mm_andnot_si128(a, b))
    CASE(_mm_mullo_epi16(a, b))
    CASE(_mm_mul_epu32(a, b))
    CASE(_mm_min_epi16(a, b))
    CASE(_mm_max_epi16(a, b))
    CASE(_mm_min_epu8(a, b))
    CASE(_mm_max_epu8(a, b))
    CASE(_mm_slli_epi16(a, 3))
    CASE(_mm_slli_epi32(a, 7))
    CASE(_mm_slli_epi64(a, 33))
    CASE(_mm_srli_epi16(a, 3))
    CASE(_mm_srli_epi32(a, 7))
    CASE(_mm_srli_epi64(a, 33))
    CASE(_mm_srai_epi16(a, 5))
    CASE(_mm_srai_epi32(a, 31))
    CASE(_mm_sll_epi16(a, by))
    CASE(_mm_sll_epi32(a, by))
    CASE(_mm_sll_epi64(a, by))
    CASE(_mm_srl_epi16(a, by))
    CASE(_mm_srl_epi32(a, by))
    CASE(_mm_srl_epi64(a, by))
    CASE(_mm_sra_epi16(a, by))
    CASE(_mm_sra_epi32(a, by))
    CASE(_mm_slli_si128(a, 5))
    CASE(_mm_srli_si128(a, 11))
    CASE(_mm_unpacklo_epi8(a, b))
    CASE(_mm_unpacklo_epi16(a, b))
    CASE(_mm_unpacklo_epi32(a, b))
    CASE(_mm_unpacklo_epi64(a, b))
    CASE(_mm_unpackhi_epi8(a, b))
    CASE(_mm_unpackhi_epi16(a, b))
    CASE(_mm_unpackhi_epi32(a, b))
    CASE(_mm_unpackhi_epi64(a, b))
    CASE(_mm_shuffle_epi32(a, 0x1e))
    CASE(_mm_shufflelo_epi16(a, 0x2d))
    CASE(_mm_shufflehi_epi16(a, 0x87))
    CASE(_mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x6c)))
    CASE(_mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a), _mm_castsi128_pd(b), 1)))
    CASE(_mm_cvtsi64_si128(_mm_cvtsi128_si64(a) + _mm_cvtsi128_si32(b)))
    CASE(_mm_loadl_epi64(&a))
    CASE(_mm_set1_epi32(_mm_movemask_epi8(a)))
    CASE(_mm_set1_epi32(_mm_movemask_ps(_mm_castsi128_ps(a))))
    CASE(_mm_set1_epi32(_mm_extract_epi16(a, 5)))
    CASE(_mm_insert_epi16(a, n, 3))
#ifdef __SSE4_2__
    CASE(_mm_mullo_epi32(a, b))
    CASE(_mm_mul_epi32(a, b))
    CASE(_mm_min_epi32(a, b))
    CASE(_mm_max_epi32(a, b))
    CASE(_mm_min_epu32(a, b))
    CASE(_mm_max_epi8(a, b))
    CASE(_mm_max_epu16(a, b))
    CASE(_mm_cmpeq_epi64(a, a))
    CASE(_mm_cmpgt_epi64(a, b))
    CASE(_mm_cvtepi32_epi64(a))
    CASE(_mm_cvtepu32_epi64(a))
    CASE(_mm_set1_epi32(_mm_extract_epi32(a, 2)))
    CASE(_mm_insert_epi32(a, n, 1))
    CASE(_mm_insert_epi64(a, n, 1))
#endif
#ifdef __AVX2__
    CASE(_mm_broadcastd_epi32(a))
    CASE(_mm_broadcastq_epi64(b))
    CASE(_mm256_castsi256_si128(_mm256_add_epi32(_mm256_castsi128_si256(a), _mm256_set1_epi32(n))))
#endif
    return 255;
}

int main(int argc, char **argv)
{
    unsigned char bytes[32];
    int number = atoi(argv[1]), n = argc > 2 ? atoi(argv[2]) : 0;
    for (volatile int i = 0; i < 32; i++)
        bytes[i] = (unsigned char)(n * (i + 3) + i * i * 7);
    return (int)run(number, _mm_loadu_si128((__m128i *)bytes), _mm_loadu_si128((__m128i *)(bytes + 16)), n);
}
